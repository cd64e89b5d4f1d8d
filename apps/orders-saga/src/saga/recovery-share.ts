import { queueDelay } from '@reseller/rpc';
import { Gauge, type Registry } from 'prom-client';

/** Above it work stands in line: what is below is the grain of timers. In milliseconds. */
const TARGET_MS = 5;
const WINDOW_MS = 200;
const DECREASE = 0.7;
/** With fresh orders beside it, so that a moment without a line does not bring all of the backlog back. */
const INCREASE = 0.02;
const INCREASE_ALONE = 0.2;
/** A backlog is drained on the busiest day, too. */
const LEAST = 0.1;

/** What a share goes by. */
interface RecoveryShareDeps {
  /** Whether orders are driven now for callers that wait for them. */
  readonly isFreshUnderWay: () => boolean;
  /** How long work stands in line, in milliseconds. */
  readonly queuedMs?: () => number;
  readonly metrics?: Registry | undefined;
}

/**
 * How much of its lanes recovery uses, from a tenth to all (AIMD): less while fresh orders are under way and work stands in
 * line, for a caller waits for those and nobody for what is due; all of it when there is room.
 */
export class RecoveryShare {
  private share = 1;
  private windowEndsAt = 0;
  private hadFresh = false;
  private readonly queuedMs: () => number;

  constructor(private readonly deps: RecoveryShareDeps) {
    this.queuedMs = deps.queuedMs ?? (() => queueDelay.ms);
    if (deps.metrics) this.show(deps.metrics);
  }

  get value(): number {
    return this.share;
  }

  /** Looks at the line, at most once for each window; `now` is in milliseconds. */
  adjust(now: number): void {
    this.hadFresh ||= this.deps.isFreshUnderWay();
    if (now < this.windowEndsAt) return;
    this.windowEndsAt = now + WINDOW_MS;
    const yields = this.hadFresh && this.queuedMs() > TARGET_MS;
    const increase = this.hadFresh ? INCREASE : INCREASE_ALONE;
    this.share = yields ? Math.max(LEAST, this.share * DECREASE) : Math.min(1, this.share + increase);
    this.hadFresh = false;
  }

  private show(metrics: Registry): void {
    const share = (): number => this.share;
    new Gauge({
      name: 'saga_recovery_share',
      help: 'How much of its lanes recovery uses, from 0.1 to 1: less while fresh orders stand in line. Every instance has its own: take min().',
      registers: [metrics],
      collect() {
        this.set(share());
      },
    });
  }
}
