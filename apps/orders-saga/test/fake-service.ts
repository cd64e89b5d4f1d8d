import { heldToContract } from '@reseller/contract-testing';
import { AppError, type ErrorCode } from '@reseller/errors';
import { RpcServer, type RpcService } from '@reseller/rpc';
import { silentLog } from '@reseller/testing';

/** What a test can have a dependency do to its next calls of one method; a code is a refusal before the effect. */
export type Fault = 'away' | 'drop-answer' | 'refuse' | 'no-wallet' | ErrorCode;

const CODES: Partial<Record<Fault, ErrorCode>> = {
  away: 'SERVICE_UNAVAILABLE',
  refuse: 'BUSINESS_INSUFFICIENT_BALANCE',
  'no-wallet': 'NOT_FOUND_WALLET',
};

/** A dependency at gRPC that a test can make fail and wait; `calls` counts what arrived. */
export abstract class FakeService {
  readonly calls: Record<string, number> = {};
  address = '';
  private readonly faults = new Map<string, { fault: Fault; times: number }>();
  private readonly barriers = new Map<string, Promise<void>>();
  private server: RpcServer | undefined;

  /** Serves on a free port. */
  async start(): Promise<this> {
    const services = this.services().map((one) => this.guard(heldToContract(one, this.provider)));
    this.server = new RpcServer({ services, log: silentLog });
    const port = await this.server.listen('127.0.0.1', 0);
    this.server.setServing(true);
    this.address = `127.0.0.1:${port}`;
    return this;
  }

  async stop(): Promise<void> {
    await this.server?.drain(0);
  }

  /** The next calls of a method fail: before their effect, or after it (drop-answer). */
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

  protected abstract services(): RpcService[];
  /** Whose contract its answers are held to. */
  protected abstract readonly provider: string;

  private guard(service: RpcService): RpcService {
    const guarded = Object.entries(service.handlers).map(([name, handler]) => [
      name,
      async (request: unknown, call: Parameters<typeof handler>[1]) => {
        this.calls[name] = (this.calls[name] ?? 0) + 1;
        await this.barriers.get(name);
        const fault = this.takeFault(name);
        if (fault && fault !== 'drop-answer') throw new AppError(CODES[fault] ?? (fault as ErrorCode));
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
