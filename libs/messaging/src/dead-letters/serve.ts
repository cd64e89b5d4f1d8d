import { DeadLetterServiceService } from '@reseller/contracts';
import {
  clampBounds,
  createPool,
  databaseAddress,
  observeBacklogs,
  type BacklogReading,
  type DatabaseSettings,
} from '@reseller/database';
import { validationFailed } from '@reseller/errors';
import { defineRpc, requireOperator, type CallContext, type RpcService } from '@reseller/rpc';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import { DeadLetters, type Decider, type EventHandler } from './dead-letters';
import { REASONS, STATES, toMessage } from './dead-letter.mapper';

/** One decides, and one reads meanwhile; a redriven event's own connection is its consumer's. */
const CONNECTIONS = 2;
/** Kept for the response's way back. */
const MARGIN_MS = 1_000;
/** For a caller that names no deadline. */
const DEFAULT_RUN_MS = 10_000;

/** How many wait for a decision, by consumer. */
const waitingBacklog: BacklogReading = {
  name: 'dead-letters',
  statement: {
    name: 'dead_letters_backlog',
    text: `SELECT consumer AS "group", count(*) AS waiting FROM dead_letters WHERE state = 'Waiting' GROUP BY consumer`,
  },
  labels: ['group'],
  gauges: [
    {
      name: 'dead_letters_waiting',
      help: 'Dead letters that nobody has decided. Every instance shows the same: take max().',
      column: 'waiting',
    },
  ],
};

/** What serving dead letters takes. */
interface ServedDeadLettersDeps {
  readonly consumers: readonly EventHandler[];
  readonly log: Logger;
  readonly metrics?: Registry | undefined;
}

/** The dead letters as a part of a service. */
interface ServedDeadLetters {
  readonly store: DeadLetters;
  readonly rpc: RpcService;
  close(): Promise<void>;
}

/** Keeps the dead letters of a service's consumers, serves them, and counts those that wait. */
export function serveDeadLetters(
  { consumers, log, metrics }: ServedDeadLettersDeps,
  config: DatabaseSettings,
): ServedDeadLetters {
  const pool = createPool({
    ...databaseAddress(config),
    max: CONNECTIONS,
    name: 'dead-letters',
    log,
    ...(metrics && { metrics }),
  });
  if (metrics) observeBacklogs({ pool, metrics, log }, [waitingBacklog]);
  const store = new DeadLetters({ pool, consumers, log });
  return { store, rpc: deadLetterService(store), close: () => pool.end() };
}

function deadLetterService(store: DeadLetters): RpcService {
  return defineRpc(DeadLetterServiceService, {
    async listDeadLetters({ state, reason, ...bounds }) {
      const filter = { state: STATES[state], reason: REASONS[reason] };
      const { deadLetters, totalCount } = await store.repository.list(filter, clampBounds(bounds));
      return { deadLetters: deadLetters.map(toMessage), totalCount };
    },
    async getDeadLetter({ deadLetterId }) {
      return { deadLetter: toMessage(await store.get(deadLetterId)) };
    },
    async redriveDeadLetter({ deadLetterId }, call) {
      return { deadLetter: toMessage(await store.redrive(deadLetterId, deciderOf(call))) };
    },
    async redriveDeadLetters({ reason: requested }, call) {
      const by = deciderOf(call);
      const reason = REASONS[requested];
      if (!reason) throw validationFailed([{ path: 'reason', message: 'must be given' }]);
      const until = (call.deadlineAt ?? Date.now() + DEFAULT_RUN_MS) - MARGIN_MS;
      return store.redriveAll(reason, by, until);
    },
    async dismissDeadLetter({ deadLetterId, notes }, call) {
      return { deadLetter: toMessage(await store.dismiss(deadLetterId, deciderOf(call), notes)) };
    },
  });
}

const deciderOf = (call: CallContext): Decider => ({
  operator: requireOperator(call),
  requestId: call.requestId,
});
