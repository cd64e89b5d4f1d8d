// The fakes, and what the .proto files say; contracts.ts is apart, which consumers' tests need not load.
export { EVENT_FILES, EVENTS, topicOf } from './schema/event-files';
export { RPCS, rpcComment, serviceComment } from './schema/promised-errors';
export { callersOf, commentOf, FILES, ROOT } from './schema/schema';
export { Fake, type FakeCall, type FakeHandlers, type Fault } from './fakes/fake';
export { Fakes } from './fakes/fakes';
export type { Partially } from './fakes/complete-reply';
export { FakeFinance, type FakeRefund } from './finance/fake-finance';
export { FakeIdentity, identityPartner } from './identity/fake-identity';
export { FakeShop } from './scent/fake-shop';
