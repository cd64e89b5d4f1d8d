import type { Actor } from './actor';
import type { Fake } from './fakes/fake';
import type { Message } from './message';
import type { Party } from './party';
import type { World } from './world';

export type { Message };

/** A call of an RPC that would succeed, with all that it needs in place. */
export interface Given {
  readonly who: Actor;
  /** The same, where a partner makes the call; else the partner that was arranged for it, whom it is about. */
  readonly partner: Party;
  readonly request: Message;
  /** Makes it, with some fields replaced. */
  call(patch?: Message): Promise<Message>;
}

/** What a case works with: the world, and the RPC that it is about. */
export type Use = World & { readonly rpc: string };

/**
 * A check: of a refusal the call that must be refused, of a promise what the golden file must hold, unless it checks by itself.
 * The given call, and what else was arranged for it, is arranged anew for each case that takes it.
 */
export type Case<More = unknown> = (use: Use, given: Given & More) => Promise<unknown>;

/** Fields of the given call to replace, or what makes them of its request and of the replies so far. */
export type Patch = Message | ((request: Message, replies: readonly Message[]) => Message);

/** The given call with some fields replaced, or another RPC with its request, some fields of it replaced. */
export type Step = Patch | string | readonly [rpc: string, patch?: Patch];

/** Stands for a check that nothing outside the service can bring about; the sentence says why. */
export const UNREACHABLE = 'unreachable';

/**
 * Promises, a sentence each with its check. A sentence that begins with an error's code and a colon says what is refused so; any
 * other says what holds. In place of a check stand fields, for the given call with these fields replaced, or a list of calls that
 * are made in turn: it returns each reply, or the code of a refusal, and the last call must succeed.
 */
export type Sentences<More = unknown> = Readonly<
  Record<string, Case<More> | Message | readonly Step[] | typeof UNREACHABLE>
>;

/** A call that would succeed: who makes it, with which request, and what else was arranged that cases work with. */
export type Arrangement<More = unknown> = readonly [who: Actor, request?: Message, more?: More];

/** The same as a state that cases share: the partner that it is about, the request fields that name it, and what else it has. */
export interface State {
  /** Who makes the call, where that is not the partner. */
  readonly who?: Actor;
  readonly partner: Party;
  readonly request: Message;
}

type Arrange<More> = (
  use: Use,
) => Promise<Arrangement<More> | (State & More)> | Arrangement<More> | (State & More);

/** A state with more in its request. */
export const about =
  <S extends State>(make: (world: World) => Promise<S>, more: Message) =>
  async (world: World): Promise<S> => {
    const state = await make(world);
    return { ...state, request: { ...state.request, ...more } };
  };

/** A state whose call is made as operators make it. */
export const byOperators =
  <S extends State>(make: (world: World) => Promise<S>) =>
  async (world: World): Promise<S> => ({ ...(await make(world)), who: world });

type Listed = readonly [who: Actor, items?: readonly Message[], request?: Message];

/** How a list comes about: who lists it, its items in the order of their making, and the request's fields that it needs. */
export interface ListContract {
  readonly make: (world: World) => Promise<Listed> | Listed;
  /** Values that its filters must tell apart from an item's, where just another one says less. */
  readonly others: Message;
}

/** What one RPC promises. */
export interface RpcContract {
  /** Whether it records who acted, and so refuses a call that names no operator. */
  readonly needsOperator?: boolean;
  /** Arranges a call that would succeed; without it, it is an empty one of whoever the service is for. */
  readonly given?: Arrange<unknown>;
  readonly sentences: Sentences;
  /** Of a list: what its derived sentences make. */
  readonly list?: ListContract;
}

/** What one gRPC service promises. */
export interface ServiceContract {
  /** For example FundsService. */
  readonly service: string;
  /** Whether its RPCs speak for the partner of the call's metadata, and so refuse a call without one. */
  readonly isPartners: boolean;
  readonly rpcs: Readonly<Record<string, RpcContract>>;
}

/** What holds of one event: published, or brought about by taking it in. */
export interface EventContract {
  /** For example reseller.finance.v1.WalletOpened. */
  readonly type: string;
  readonly topic: string;
  readonly sentences: Sentences;
}

/** Everything other services may rely on in one app. */
export interface Contract {
  /** As under apps/. */
  readonly app: string;
  /** Fakes of the services that it calls, not yet listening. */
  readonly dependencies: () => Readonly<Record<string, Fake>>;
  readonly services: readonly ServiceContract[];
  readonly publishes: readonly EventContract[];
  readonly consumes: readonly EventContract[];
}

/** An RPC with a call that would succeed, which sentences vary, and its sentences. */
export const rpc = <More = unknown>(
  given: Arrange<More> | undefined,
  sentences: Sentences<NoInfer<More>>,
): RpcContract => ({
  ...(given && { given }),
  // What was arranged is what its own cases are handed.
  sentences: sentences as Sentences,
});

/** The same for an RPC that records who acted, and so refuses a call that names no operator. */
export const operatorRpc: typeof rpc = (given, sentences) => ({
  ...rpc(given, sentences),
  needsOperator: true,
});

/** A service whose RPCs speak for the partner of the call's metadata. */
export const partnerService = (service: string, rpcs: ServiceContract['rpcs']): ServiceContract => ({
  service,
  isPartners: true,
  rpcs,
});

/** A service whose requests name whom they are about. */
export const service = (name: string, rpcs: ServiceContract['rpcs']): ServiceContract => ({
  service: name,
  isPartners: false,
  rpcs,
});

/** The events of one topic, by their names. */
export const events = (
  topic: string,
  prefix: string,
  sentences: Readonly<Record<string, Sentences>>,
): EventContract[] =>
  Object.entries(sentences).map(([name, of]) => ({ type: `${prefix}.${name}`, topic, sentences: of }));
