import { createRequire } from 'node:module';
import type { Socket } from 'node:net';
import { KafkaJSRequestTimeoutError, type Cluster } from 'kafkajs';

/** What is used of kafkajs 2.2.4's connection, and of its queue of requests. */
interface Connection {
  readonly broker: string;
  readonly requestQueue: RequestQueue;
  readonly authHandlers: object | null;
  readonly socket: Socket | undefined;
  chunks: Buffer[];
  bytesBuffered: number;
  bytesNeeded: number;
  isConnected(): boolean;
  connect(): Promise<true>;
  send(request: unknown): Promise<unknown>;
}
interface ConsumerGroup {
  cluster: Cluster;
  joinAndSync(): Promise<void>;
}
interface RequestQueue {
  readonly inflight: ReadonlyMap<number, unknown>;
  pending: unknown[];
  throttledUntil: number;
  throttleCheckTimeoutId: NodeJS.Timeout | null;
  checkPendingRequests(): void;
  scheduleCheckPendingRequests(): void;
}
type JoiningCluster = Record<'findGroupCoordinator', (query: unknown) => Promise<unknown>>;

const WHILE_PENDING_MS = 10;
/** Of a response, at its beginning. */
const BYTES_OF_A_LENGTH = 4;
const load = createRequire(__filename);

/**
 * Replaces four methods inside of kafkajs; throws when it is not the version that needs it. Call it once in a process.
 * kafkajs-patches.spec.ts shows each fault in kafkajs as it comes, and fails when a patch is no longer needed.
 */
export function patchKafkajs(): void {
  letConnectionsBeIdle();
  connectOnce();
  leaveSilentConnections();
  joinOnce();
}

/** Whom to call when a join has failed for good, by the consumer's cluster. */
const onJoinFailure = new WeakMap<Cluster, (error: unknown) => void>();

/** What a consumer does around its joins. */
export interface JoinHooks {
  /** Waited for each time before it joins. */
  before: () => Promise<void>;
  /** The join that followed has failed. */
  failed: (error: unknown) => void;
}

/**
 * Has a consumer wait for `before` each time before it joins its group: kafkajs emits an event on a rebalance and joins
 * without waiting for its listeners, so that handlers of the old generation would commit under the new one. A join that fails is reported to
 * `failed`: kafkajs may go on to fetch under the old generation, of which nobody takes anything any more.
 */
export function hookJoins(cluster: Cluster, { before, failed }: JoinHooks): void {
  const joining = cluster as JoiningCluster;
  const { findGroupCoordinator } = joining;
  if (typeof findGroupCoordinator !== 'function') throw new Error(UNEXPECTED);
  joining.findGroupCoordinator = async (query) => {
    await before();
    return findGroupCoordinator.call(cluster, query);
  };
  onJoinFailure.set(cluster, failed);
}

/**
 * As it comes, each connection sets a timer of minus the present time for ever, so one that fires every millisecond, and
 * Node.js 24 warns of the negative time (kafkajs issue 1751). Here a timer is set only when a request waits for a throttle
 * to end or for others to get a response.
 */
function letConnectionsBeIdle(): void {
  const { prototype } = load('kafkajs/src/network/requestQueue') as { prototype: RequestQueue };
  if (typeof prototype.scheduleCheckPendingRequests !== 'function') throw new Error(UNEXPECTED);
  prototype.scheduleCheckPendingRequests = function (this: RequestQueue): void {
    if (this.throttleCheckTimeoutId || this.pending.length === 0) return;
    const throttledMs = this.throttledUntil - Date.now();
    this.throttleCheckTimeoutId = setTimeout(
      () => {
        this.throttleCheckTimeoutId = null;
        this.checkPendingRequests();
      },
      throttledMs > 0 ? throttledMs : WHILE_PENDING_MS,
    );
  };
}

/**
 * As it comes, each of several requests that find a connection lost opens a socket of its own for it; the last one gets
 * what is written, and the responses of all are read as one stream. Here the first opens one and the others wait for it. And as it comes,
 * half a response that the lost socket brought is taken for the beginning of what the new one brings, so that nothing on it is understood.
 */
function connectOnce(): void {
  const prototype = connectionPrototype();
  const { connect } = prototype;
  prototype.connect = shared(async function (this: Connection): Promise<true> {
    if (this.isConnected()) return true;
    this.chunks = [];
    this.bytesBuffered = 0;
    this.bytesNeeded = BYTES_OF_A_LENGTH;
    await connect.call(this);
    keepWhileOpen(this);
    return true;
  });
}

/**
 * As it comes, a connection on which a request gets no response stays, and the next one is sent on it again: one that a firewall has
 * forgotten stops a consumer until it is replaced. Here it ends, as with Java's clients, and the next request has another. So do those to
 * the same broker on which nothing is under way: they may be forgotten too, and each would cost as long again.
 */
function leaveSilentConnections(): void {
  const prototype = connectionPrototype();
  const { send } = prototype;
  prototype.send = async function (this: Connection, request) {
    const { socket } = this;
    try {
      return await send.call(this, request);
    } catch (error) {
      if (error instanceof KafkaJSRequestTimeoutError)
        for (const [other, connection] of open)
          if (other === socket || (connection.broker === this.broker && isIdle(connection)))
            other.destroy(error);
      throw error;
    }
  };
}

/** The connections of this process, by their present sockets. */
const open = new Map<Socket, Connection>();

function keepWhileOpen(connection: Connection): void {
  const { socket } = connection;
  if (!socket || open.has(socket)) return;
  open.set(socket, connection);
  socket.once('close', () => open.delete(socket));
}

function isIdle({ requestQueue, authHandlers }: Connection): boolean {
  return requestQueue.inflight.size === 0 && requestQueue.pending.length === 0 && !authHandlers;
}

function connectionPrototype(): Connection {
  const { prototype } = load('kafkajs/src/network/connection') as { prototype: Connection };
  for (const method of ['connect', 'send', 'isConnected'] as const)
    if (typeof prototype[method] !== 'function') throw new Error(UNEXPECTED);
  return prototype;
}

/**
 * As it comes, a consumer fetches from each broker by a loop of its own, and each loop that meets a partition's new leader, or new
 * partitions, joins the group again: two assignments then work on one partition, and the one that is over may commit last. Here the
 * first joins and the others wait for it.
 */
function joinOnce(): void {
  const { prototype } = load('kafkajs/src/consumer/consumerGroup') as { prototype: ConsumerGroup };
  const { joinAndSync } = prototype;
  if (typeof joinAndSync !== 'function') throw new Error(UNEXPECTED);
  prototype.joinAndSync = shared(function (this: ConsumerGroup) {
    return joinAndSync.call(this).catch((error: unknown) => {
      onJoinFailure.get(this.cluster)?.(error);
      throw error;
    });
  });
}

/** A method that is not begun again on an object while it runs there: whoever calls it meanwhile gets the same result. */
function shared<Self extends object, T>(method: (this: Self) => Promise<T>): (this: Self) => Promise<T> {
  const running = new WeakMap<Self, Promise<T>>();
  return function (this: Self): Promise<T> {
    const present = running.get(this);
    if (present) return present;
    const mine = method.call(this).finally(() => running.delete(this));
    running.set(this, mine);
    return mine;
  };
}

const UNEXPECTED = 'kafkajs is not the version that needs these patches';
