import { makeCall, newId, type Bearer, type Limits } from './call.ts';
import { parseWithDecimalsAsText, type DecimalForm } from './decimals.ts';
import { followEvents, type EventOf, type FollowOptions } from './feed.ts';
import type { Methods } from './generated/methods.ts';
import { OPERATIONS, WHOLE_FIELDS } from './generated/operations.ts';
import type { Hooks } from './hooks.ts';
import type { CallOptions } from './operation.ts';
import { pagesOf } from './pages.ts';
import { requestsTo, type Input, type Prepare, type Route } from './send.ts';
import { Tokens, type IssuedToken, type TokenStore } from './tokens.ts';

/** What a client is made with. */
export interface ClientOptions<Form extends DecimalForm = 'number'> extends Partial<Limits> {
  /** The API's address without /api/v1, such as https://api.example.com. */
  baseUrl: string;
  /** The credential; it decides whether calls are of the sandbox or live. */
  clientId?: string;
  clientSecret?: string;
  /** Where processes that share the credential share its tokens; createToken takes ten calls a minute from one address. */
  tokenStore?: TokenStore;
  /** A token from elsewhere, in place of a credential: where code runs that a secret must not reach. */
  token?: () => Promise<string> | string;
  /** The id of a partner below yours to act for; not beside `token`, which says itself for whom it is. */
  onBehalfOf?: string;
  /** How decimals come back; as numbers unless given. Either form is taken, and neither loses a digit. */
  decimals?: Form;
  hooks?: Hooks;
  /** In place of the global fetch. */
  fetch?: typeof globalThis.fetch;
}

/** The API as methods, one for each operation, and what is built on them. */
export interface ResellerClient<Form extends DecimalForm = 'number'> extends Methods<Form> {
  /** The same client acting for a partner below yours. */
  onBehalfOf(partnerId: string): ResellerClient<Form>;
  /** Every event, oldest first, and then each as it happens. */
  followEvents<const Type extends string = string>(
    options?: FollowOptions<Type>,
  ): AsyncGenerator<EventOf<Type, Form>, void, undefined>;
}

// An attempt outlasts the API's own deadlines: the longest are 35 s of a diagnosis, and a file's 30 s to arrive with 12 s after it.
const LIMITS: Limits = { timeoutMs: 60_000, attemptTimeoutMs: 45_000, maxAttempts: 6 };
const CREATE_TOKEN: Route = { method: 'POST', path: '/api/v1/auth/token', body: true };
const wholeFields = new Set(WHOLE_FIELDS);

/** Whether calls can be made to it; what has a location of its own, as a page has, may leave that part out. */
const isAddress = (baseUrl: unknown): boolean =>
  typeof baseUrl === 'string' && (/^https?:\/\/./i.test(baseUrl) || 'location' in globalThis);

/** What the clients of one credential share, whoever they act for. */
interface Shared {
  options: ClientOptions<DecimalForm>;
  limits: Limits;
  prepare: Prepare;
  tokens: Tokens;
}

async function perform(
  { prepare, limits, options: { hooks = {} } }: Shared,
  operation: string,
  route: Route,
  input: Input,
  options: CallOptions,
  bearer?: Bearer,
): Promise<unknown> {
  const { method, path } = route;
  const info = { operation, method, path, requestId: options.requestId ?? newId(), headers: {} };
  const send = prepare(route, input);
  const run = () => makeCall({ info, route, send, options, bearer }, limits, hooks);
  return hooks.aroundCall ? hooks.aroundCall(info, run) : run();
}

function clientFor(shared: Shared, onBehalfOf: string | undefined): ResellerClient<DecimalForm> {
  const { tokens, options } = shared;
  // It says itself for whom it is: a call with it would be made for that partner, whatever is named here.
  if (options.token && onBehalfOf !== undefined)
    throw new TypeError(
      'onBehalfOf needs clientId and clientSecret; a token from elsewhere says for whom it is',
    );
  const bearer: Bearer = {
    token: async () => options.token?.() ?? tokens.get(onBehalfOf),
    refused: (token) => tokens.refused(onBehalfOf, token),
  };
  const methodOf = (operation: string, route: Route) => {
    const read = (input: Input, callOptions: CallOptions) =>
      perform(shared, operation, route, input, callOptions, bearer);
    return (input: Input = {}, callOptions: CallOptions = {}) =>
      route.list ? pagesOf((of) => read(of, callOptions), input, route.key) : read(input, callOptions);
  };
  // Made of the same table as the type, one by one.
  const methods = Object.fromEntries(
    Object.entries<Route>(OPERATIONS).map(([operation, route]) => [operation, methodOf(operation, route)]),
  ) as unknown as Methods<DecimalForm>;
  return {
    ...methods,
    onBehalfOf: (partnerId) => clientFor(shared, partnerId),
    followEvents: <Type extends string>(follow: FollowOptions<Type> = {}) => followEvents(methods, follow),
  };
}

/** A client of the API at one address, with one credential. It is cheap to keep and safe to share. */
export function createResellerClient<const Form extends DecimalForm = 'number'>(
  options: ClientOptions<Form>,
): ResellerClient<Form> {
  const { baseUrl, clientId, clientSecret, token, fetch = globalThis.fetch } = options;
  if (!token && !(clientId && clientSecret))
    throw new TypeError('a client needs clientId and clientSecret, or token');
  if (!isAddress(baseUrl))
    throw new TypeError(
      `baseUrl must be the API's address, such as https://api.example.com; it was ${baseUrl}`,
    );
  const parse = (json: string): unknown =>
    options.decimals === 'string' ? parseWithDecimalsAsText(json, wholeFields) : JSON.parse(json);
  const given = Object.entries(LIMITS).map(([name, value]) => [name, options[name as keyof Limits] ?? value]);
  const shared: Shared = {
    options,
    limits: Object.fromEntries(given) as Limits,
    prepare: requestsTo(baseUrl, (...request) => fetch(...request), parse),
    tokens: new Tokens(
      (onBehalfOf) =>
        perform(
          shared,
          'createToken',
          CREATE_TOKEN,
          { clientId, clientSecret, onBehalfOf },
          {},
        ) as Promise<IssuedToken>,
      options.tokenStore,
    ),
  };
  // The form is chosen at run time, by `parse`; its type follows the option.
  return clientFor(shared, options.onBehalfOf) as unknown as ResellerClient<Form>;
}
