import { promises as dns } from 'node:dns';

/** Finds the addresses of a name. */
export interface HostResolver {
  /** IPv4 first; empty when there is no such name, the server failed, or 3 seconds are gone. Never rejects. */
  resolve(host: string): Promise<string[]>;
}

/** How long a look-up may take (spec §10.2), in milliseconds. */
const LOOKUP_TIMEOUT_MS = 3_000;

/** What of Node's resolver is used. */
export interface Lookup {
  resolve4(host: string): Promise<string[]>;
  resolve6(host: string): Promise<string[]>;
}

/**
 * Asks the name servers itself (c-ares), not dns.lookup, whose four threads one slow name server can occupy; so
 * /etc/hosts does not count. Look-ups of one name at the same time share one question.
 */
export class DnsHostResolver implements HostResolver {
  private readonly underWay = new Map<string, Promise<string[]>>();

  constructor(
    private readonly lookup: Lookup = new dns.Resolver({ timeout: 1_000, tries: 2 }),
    private readonly timeoutMs = LOOKUP_TIMEOUT_MS,
  ) {}

  resolve(host: string): Promise<string[]> {
    const running = this.underWay.get(host);
    if (running) return running;
    const started = this.query(host).finally(() => this.underWay.delete(host));
    this.underWay.set(host, started);
    return started;
  }

  /** What has been found when both families have responded or the time is up. */
  private async query(host: string): Promise<string[]> {
    const found: { v4: string[]; v6: string[] } = { v4: [], v6: [] };
    const both = Promise.allSettled([
      this.lookup.resolve4(host).then((addresses) => void (found.v4 = addresses)),
      this.lookup.resolve6(host).then((addresses) => void (found.v6 = addresses)),
    ]);
    let timer: NodeJS.Timeout | undefined;
    const timeUp = new Promise<void>((resolve) => (timer = setTimeout(resolve, this.timeoutMs)));
    await Promise.race([both, timeUp]);
    clearTimeout(timer);
    return [...found.v4, ...found.v6];
  }
}
