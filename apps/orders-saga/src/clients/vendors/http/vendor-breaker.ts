import type { Logger } from '@reseller/service-kit';
import {
  BrokenCircuitError,
  circuitBreaker,
  CircuitState,
  ConsecutiveBreaker,
  handleWhen,
  type CircuitBreakerPolicy,
} from 'cockatiel';
import { CallFailure } from './call-failure';
import type { VendorMetrics } from './vendor-metrics';

/** When a vendor is left alone, and for how long. The time is short and does not grow: trying costs one question. */
export interface BreakerSettings {
  /** So many faults in a row open it. */
  readonly faults: number;
  /** Milliseconds until it is tried again. */
  readonly openMs: number;
}

const STATES = {
  [CircuitState.Closed]: { name: 'closed', value: 0 },
  [CircuitState.HalfOpen]: { name: 'half-open', value: 1 },
  [CircuitState.Open]: { name: 'open', value: 2 },
  [CircuitState.Isolated]: { name: 'open', value: 2 },
} as const;

/**
 * A circuit breaker for one vendor. It counts silence and nonsense, not responses: a refusal, an unfit request or a
 * stated "not accepted" leaves it as it is. While it is open, and while another call tries the vendor out, calls end
 * at once, unsent.
 */
export class VendorBreaker {
  private readonly policy: CircuitBreakerPolicy;

  constructor(
    private readonly vendor: string,
    settings: BreakerSettings,
    observed: { metrics: VendorMetrics; log: Logger },
  ) {
    this.policy = circuitBreaker(
      handleWhen((error) => error instanceof CallFailure && error.facts.isFault),
      {
        breaker: new ConsecutiveBreaker(settings.faults),
        halfOpenAfter: settings.openMs,
      },
    );
    const { metrics, log } = observed;
    metrics.breakerState.set({ vendor }, STATES[CircuitState.Closed].value);
    this.policy.onStateChange((state) => {
      const { name, value } = STATES[state];
      metrics.breakerState.set({ vendor }, value);
      metrics.breakerTransitions.inc({ vendor, to: name });
      const message = `the circuit breaker of vendor ${vendor} is ${name}`;
      if (name === 'open') log.warn({ vendor }, message);
      else log.info({ vendor }, message);
    });
  }

  /** Whether calls go through without having to try the vendor out. */
  get isClosed(): boolean {
    return this.policy.state === CircuitState.Closed;
  }

  /** Makes the call, or fails at once without making it. */
  async run<T>(call: () => Promise<T>): Promise<T> {
    // The library would have the others wait for the one that tries; they have deadlines and maybe another vendor.
    if (this.policy.state === CircuitState.HalfOpen) throw this.unsent();
    try {
      return await this.policy.execute(call);
    } catch (error) {
      throw error instanceof BrokenCircuitError ? this.unsent() : error;
    }
  }

  private unsent(): CallFailure {
    const facts = { notAccepted: true, isFault: false };
    return new CallFailure(`the circuit breaker of vendor ${this.vendor} is open`, facts);
  }
}
