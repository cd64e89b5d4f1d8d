import type { CreateBatch, Environment, RecordCreatesRequest } from '@reseller/contracts';
import type { ErrorCode } from '@reseller/errors';
import { Counter, type Registry } from 'prom-client';
import type { Logger } from 'pino';
import { v4 as newId } from 'uuid';
import { ReportQueue } from '../reporting/report-queue';

/** What creates are reported with. */
interface CreateLogOptions {
  readonly send: (request: RecordCreatesRequest) => Promise<unknown>;
  readonly log: Pick<Logger, 'warn'>;
  readonly metrics?: Registry | undefined;
  readonly now?: () => number;
}

/** A batch's offsets stay far below what orders-saga takes. */
const LONGEST_BATCH_MS = 10_000;
/** Kept while orders-saga is away, 16 bytes each; what comes then is refused mostly. */
const MOST_KEPT = 200_000;
const BATCHES_A_CALL = 100;

interface Results {
  readonly offsetsMs: number[];
  readonly durationsMs: number[];
}

interface OpenBatch {
  readonly startedAt: number;
  readonly results: Map<string, Results & { environment: Environment; code: string }>;
}

/**
 * What creates of orders came to at this gateway, reported to orders-saga in batches (spec §18.7); each counts once however often it is
 * sent.
 */
export class CreateLog {
  /** What is on its way; to be started and stopped. */
  readonly reports: ReportQueue<CreateBatch>;
  private readonly gatewayId = newId();
  private readonly now: () => number;
  private open: OpenBatch | undefined;
  private closed: CreateBatch[] = [];
  private sequence = 0;

  constructor({ send, log, metrics, now = Date.now }: CreateLogOptions) {
    this.now = now;
    this.reports = new ReportQueue({
      close: () => {
        this.close();
        return this.closed.splice(0);
      },
      send: async (waiting) => {
        const batches = waiting.slice(0, BATCHES_A_CALL);
        await send({ gatewayId: this.gatewayId, batches });
        return batches.length;
      },
      sizeOf,
      most: MOST_KEPT,
      dropped:
        metrics &&
        new Counter({
          name: 'gateway_creates_uncounted_total',
          help: 'Creates of orders that no overview shows, for too many waited for orders-saga. Sum over instances.',
          registers: [metrics],
        }),
      notTaken: 'what creates came to was not taken; trying again',
      log,
    });
  }

  /** Notes a create at its response: with the code of its refusal, or none; `ms` from its arrival. */
  record(environment: Environment, code: ErrorCode | undefined, ms: number): void {
    if (!this.reports.takePlace()) return;
    const now = this.now();
    if (this.open && (now < this.open.startedAt || now - this.open.startedAt > LONGEST_BATCH_MS))
      this.close();
    const { startedAt, results } = (this.open ??= { startedAt: now, results: new Map() });
    const key = `${environment} ${code ?? ''}`;
    let one = results.get(key);
    if (!one) results.set(key, (one = { environment, code: code ?? '', offsetsMs: [], durationsMs: [] }));
    one.offsetsMs.push(now - startedAt);
    if (code === undefined) one.durationsMs.push(Math.round(ms));
  }

  private close(): void {
    if (!this.open) return;
    const { startedAt, results } = this.open;
    this.sequence += 1;
    this.closed.push({
      sequence: String(this.sequence),
      startedAt: new Date(startedAt),
      results: [...results.values()],
    });
    this.open = undefined;
  }
}

const sizeOf = ({ results }: CreateBatch): number =>
  results.reduce((sum, { offsetsMs }) => sum + offsetsMs.length, 0);
