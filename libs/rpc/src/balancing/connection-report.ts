import type { ChannelOptions } from '@grpc/grpc-js';
import type { NoticeLog } from '../rpc-log';

/** The channel option by which a channel's resolver and balancer find its report. */
const OPTION = 'reseller.connection_report';

/** Long enough for a restart: what is away for less is nobody's business. */
const REPORT_AFTER_MS = 3_000;

interface Trouble {
  reason: string;
  isReported: boolean;
  readonly timer: NodeJS.Timeout;
}

/** Which of a dependency's instances are connected, and which addresses cannot be reached and why; logged when it lasts. */
export class ConnectionReport {
  /** The instances that are connected now. */
  readonly connections = new Set<object>();
  private readonly troubles = new Map<string, Trouble>();

  constructor(
    private readonly peer: string,
    private readonly log: NoticeLog | undefined,
  ) {}

  /** The report of the channel that these options are of. */
  static of(options: ChannelOptions): ConnectionReport | undefined {
    return options[OPTION] as ConnectionReport | undefined;
  }

  asOption(): ChannelOptions {
    return { [OPTION]: this };
  }

  failed(address: string, reason: string): void {
    const known = this.troubles.get(address);
    if (known) known.reason = reason;
    else {
      const timer = setTimeout(() => this.logFailure(address), REPORT_AFTER_MS).unref();
      this.troubles.set(address, { reason, isReported: false, timer });
    }
  }

  connected(address: string): void {
    const trouble = this.troubles.get(address);
    this.forget(address);
    if (trouble?.isReported) this.log?.info({ peer: this.peer, address }, 'a dependency is reached again');
  }

  /** For an address whose connection had gone silent while it accepted another. */
  replaced(address: string): void {
    this.log?.warn({ peer: this.peer, address }, 'a dead connection to a dependency is made anew');
  }

  /** For an address that is no longer one of the dependency's. */
  forget(address: string): void {
    clearTimeout(this.troubles.get(address)?.timer);
    this.troubles.delete(address);
  }

  /** What stands in the way now, for the cause of an error; undefined when nothing does. */
  get reasons(): string | undefined {
    const lines = [...this.troubles].map(([address, { reason }]) => `${address}: ${reason}`);
    return lines.length > 0 ? lines.join('; ') : undefined;
  }

  close(): void {
    for (const address of [...this.troubles.keys()]) this.forget(address);
  }

  private logFailure(address: string): void {
    const trouble = this.troubles.get(address);
    if (!trouble) return;
    trouble.isReported = true;
    this.log?.warn({ peer: this.peer, address, reason: trouble.reason }, 'a dependency cannot be reached');
  }
}
