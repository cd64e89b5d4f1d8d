import type { ErrorCode } from '@reseller/errors';
import type { Fake } from './fakes/fake';
import type { World } from './world';

export type { Message } from './message';

/** A sentence and the check that holds a service to it; a check of a refusal answers the call that must be refused. */
export type Cases = Readonly<Record<string, (world: World) => Promise<unknown>>>;

/** What one RPC promises, each promise with its cases. */
export interface RpcContract {
  /** Whether it records who acted, and so refuses a call that names no operator. */
  readonly needsOperator?: boolean;
  /** What holds when it succeeds, when it is repeated, and for whom. */
  readonly promises: Cases;
  /** Each error of its comment with the calls that are refused so. */
  readonly refuses?: Readonly<Partial<Record<ErrorCode, Cases>>>;
  /** Errors of its comment that nothing outside the service can bring about, each with the reason. */
  readonly unreachable?: Readonly<Partial<Record<ErrorCode, string>>>;
}

/** What one gRPC service promises. */
export interface ServiceContract {
  /** For example FundsService. */
  readonly service: string;
  /** Whether its RPCs speak for the partner of the call's metadata, and so refuse a call without one. */
  readonly speaksFor: 'the partner of the metadata' | 'whom the request names';
  readonly rpcs: Readonly<Record<string, RpcContract>>;
}

/** What one published event promises. */
export interface EventContract {
  /** For example reseller.finance.v1.WalletOpened. */
  readonly type: string;
  readonly topic: string;
  readonly promises: Cases;
}

/** What one consumed topic brings about. */
export interface ConsumedEventContract {
  readonly type: string;
  readonly topic: string;
  readonly effects: Cases;
}

/** Everything other services may rely on in one app. */
export interface Contract {
  /** As under apps/. */
  readonly app: string;
  /** Fakes of the services that it calls, not yet listening. */
  readonly dependencies: () => Readonly<Record<string, Fake>>;
  readonly services: readonly ServiceContract[];
  readonly publishes: readonly EventContract[];
  readonly consumes: readonly ConsumedEventContract[];
}
