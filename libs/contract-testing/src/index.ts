export type { Contract, Message } from './contract';
export { CONTRACTS } from './contracts';
export { describeContract } from './describe-contract';
export type { ContractRun, Subject } from './describe-contract';
export { financeContract } from './finance/contract';
export { identityContract } from './identity/contract';
export { notifierContract } from './notifier/contract';
export { startSubject } from './start-subject';
export type { Started } from './start-subject';
