import { FundsServiceService } from '@reseller/contracts';
import { AppError } from '@reseller/errors';
import { decimal, toFixedString } from '@reseller/money';
import { defineRpc, RpcServer, type RpcHandlers, type RpcService } from '@reseller/rpc';
import { silentLog } from '@reseller/testing';

interface Reservation {
  readonly amount: string;
  state: 'held' | 'captured' | 'released';
  refunded: boolean;
}

/** What a test can have finance do to its next calls of one method. */
export type Fault = 'away' | 'drop-answer' | 'refuse' | 'no-wallet';

/** An exact model of one wallet behind the real FundsService contract; `calls` counts what arrived. */
export class FakeFinance {
  readonly reservations = new Map<string, Reservation>();
  readonly calls: Record<string, number> = {};
  address = '';
  private readonly faults = new Map<string, { fault: Fault; times: number }>();
  private readonly barriers = new Map<string, Promise<void>>();
  private server: RpcServer | undefined;

  constructor(
    private readonly deposit = '1000.00',
    private readonly displayRate?: { currency: string; rate: string },
  ) {}

  /** Serves on a free port. */
  async start(): Promise<this> {
    this.server = new RpcServer({ services: [this.service()], log: silentLog });
    const port = await this.server.listen('127.0.0.1', 0);
    this.server.setServing(true);
    this.address = `127.0.0.1:${port}`;
    return this;
  }

  async stop(): Promise<void> {
    await this.server?.drain(0);
  }

  /** The next calls of a method fail: before their effect (away, refuse, no-wallet), or after it (drop-answer). */
  fail(method: string, fault: Fault, times = Number.POSITIVE_INFINITY): void {
    this.faults.set(method, { fault, times });
  }

  /** Calls of a method wait until the returned function is called. */
  hold(method: string): () => void {
    let open = (): void => undefined;
    this.barriers.set(method, new Promise((resolve) => (open = resolve)));
    return () => {
      this.barriers.delete(method);
      open();
    };
  }

  recover(): void {
    this.faults.clear();
  }

  /** What could be spent. */
  available(): string {
    const taken = [...this.reservations.values()]
      .filter(({ state, refunded }) => state === 'held' || (state === 'captured' && !refunded))
      .reduce((sum, { amount }) => sum.plus(amount), decimal(0));
    return toFixedString(decimal(this.deposit).minus(taken), 2);
  }

  count(state: Reservation['state']): number {
    return [...this.reservations.values()].filter((one) => one.state === state).length;
  }

  /** How many charges were posted and not refunded. */
  charges(): number {
    return [...this.reservations.values()].filter((one) => one.state === 'captured' && !one.refunded).length;
  }

  private service(): RpcService {
    const handlers: RpcHandlers<typeof FundsServiceService> = {
      checkFunds: async () => ({
        currency: 'SAR',
        availableBalance: this.available(),
        displayRate: this.displayRate,
      }),
      reserveFunds: async ({ reservationKey, amount }) => {
        const known = this.reservations.get(reservationKey);
        if (known && known.state !== 'held') throw new AppError('CONFLICT_ORDER_STATE');
        if (!known) {
          if (decimal(this.available()).lessThan(amount)) throw new AppError('BUSINESS_INSUFFICIENT_BALANCE');
          this.reservations.set(reservationKey, { amount, state: 'held', refunded: false });
        }
        return { availableBalance: this.available() };
      },
      pinReservation: async () => ({}),
      captureFunds: async ({ reservationKey }) => {
        const known = this.reservations.get(reservationKey);
        if (!known || known.state === 'released') throw new AppError('CONFLICT_ORDER_STATE');
        known.state = 'captured';
        return { transactionId: '1', balanceAfter: this.available() };
      },
      releaseFunds: async ({ reservationKey }) => {
        const known = this.reservations.get(reservationKey);
        if (known?.state === 'captured') throw new AppError('CONFLICT_ORDER_STATE');
        if (known) known.state = 'released';
        else this.reservations.set(reservationKey, { amount: '0.00', state: 'released', refunded: false });
        return {};
      },
      refundFunds: async ({ reservationKey }) => {
        const known = this.reservations.get(reservationKey);
        if (known?.state !== 'captured') throw new AppError('CONFLICT_ORDER_STATE');
        known.refunded = true;
        return { transactionId: '2', balanceAfter: this.available() };
      },
    };
    const service = defineRpc(FundsServiceService, handlers);
    const guarded = Object.entries(service.handlers).map(([name, handler]) => [
      name,
      async (request: unknown, call: Parameters<typeof handler>[1]) => {
        this.calls[name] = (this.calls[name] ?? 0) + 1;
        await this.barriers.get(name);
        const fault = this.takeFault(name);
        if (fault === 'away') throw new AppError('SERVICE_UNAVAILABLE');
        if (fault === 'no-wallet') throw new AppError('NOT_FOUND_WALLET');
        if (fault === 'refuse') throw new AppError('BUSINESS_INSUFFICIENT_BALANCE');
        const answer = await handler(request, call);
        if (fault === 'drop-answer') throw new AppError('SERVICE_UNAVAILABLE');
        return answer;
      },
    ]);
    return { ...service, handlers: Object.fromEntries(guarded) as typeof service.handlers };
  }

  private takeFault(method: string): Fault | undefined {
    const planned = this.faults.get(method);
    if (!planned || planned.times <= 0) return undefined;
    planned.times -= 1;
    return planned.fault;
  }
}
