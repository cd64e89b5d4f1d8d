import type { CreateBatch, Environment, RecordCreatesRequest } from '@reseller/contracts';
import type { ErrorCode } from '@reseller/errors';
import { Counter, type Registry } from 'prom-client';
import type { Logger } from 'pino';
import { v4 as newId } from 'uuid';

/** What creates are reported with. */
export interface CreateLogOptions {
  readonly send: (request: RecordCreatesRequest) => Promise<unknown>;
  readonly log: Pick<Logger, 'warn'>;
  readonly metrics?: Registry | undefined;
  readonly now?: () => number;
}

/** So that an overview shows a create within about a second. */
const INTERVAL_MS = 500;
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
 * What creates of orders came to at this gateway, handed to orders-saga in batches (spec §18.7, docs/adr/0022). A batch is sent until it
 * is taken, and counts once however often it is sent. What was not sent when the process is killed is lost.
 */
export class CreateLog {
  private readonly gatewayId = newId();
  private readonly uncounted: Counter | undefined;
  private open: OpenBatch | undefined;
  private waiting: CreateBatch[] = [];
  private kept = 0;
  private sequence = 0;
  private sending: Promise<void> | undefined;
  private isFailing = false;
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly options: CreateLogOptions) {
    this.uncounted =
      options.metrics &&
      new Counter({
        name: 'gateway_creates_uncounted_total',
        help: 'Creates of orders that no overview shows, for too many waited for orders-saga. Sum over instances.',
        registers: [options.metrics],
      });
  }

  /** Notes a create as it is answered: with the code of its refusal, or none; `ms` from its arrival. */
  record(environment: Environment, code: ErrorCode | undefined, ms: number): void {
    if (this.kept >= MOST_KEPT) return void this.uncounted?.inc();
    const now = this.now();
    if (this.open && (now < this.open.startedAt || now - this.open.startedAt > LONGEST_BATCH_MS))
      this.close();
    const { startedAt, results } = (this.open ??= { startedAt: now, results: new Map() });
    const key = `${environment} ${code ?? ''}`;
    let one = results.get(key);
    if (!one) results.set(key, (one = { environment, code: code ?? '', offsetsMs: [], durationsMs: [] }));
    one.offsetsMs.push(now - startedAt);
    if (code === undefined) one.durationsMs.push(Math.round(ms));
    this.kept += 1;
  }

  /** Begins to send in the background. */
  start(): void {
    this.timer = setInterval(() => void this.flush(), INTERVAL_MS);
    this.timer.unref();
  }

  /** Sends what there is, once more if that fails; ends the background work. */
  async stop(): Promise<void> {
    clearInterval(this.timer);
    await this.flush();
    if (this.waiting.length > 0 || this.open) await this.flush();
  }

  /** Sends what there is; resolves when that has come to an end, well or not. */
  flush(): Promise<void> {
    this.sending ??= this.send().finally(() => (this.sending = undefined));
    return this.sending;
  }

  private async send(): Promise<void> {
    this.close();
    while (this.waiting.length > 0) {
      const batches = this.waiting.slice(0, BATCHES_A_CALL);
      try {
        await this.options.send({ gatewayId: this.gatewayId, batches });
      } catch (err) {
        if (!this.isFailing)
          this.options.log.warn({ err }, 'what creates came to was not taken; trying again');
        this.isFailing = true;
        return;
      }
      this.isFailing = false;
      this.waiting = this.waiting.slice(batches.length);
      this.kept -= batches.reduce((sum, { results }) => sum + sizeOf(results), 0);
    }
  }

  private close(): void {
    if (!this.open) return;
    const { startedAt, results } = this.open;
    this.sequence += 1;
    this.waiting.push({
      sequence: String(this.sequence),
      startedAt: new Date(startedAt),
      results: [...results.values()],
    });
    this.open = undefined;
  }

  private now(): number {
    return (this.options.now ?? Date.now)();
  }
}

const sizeOf = (results: readonly Results[]): number =>
  results.reduce((sum, { offsetsMs }) => sum + offsetsMs.length, 0);
