import { setTimeout as pause } from 'node:timers/promises';
import type { ApiResponse, SendOptions } from '../clients/response';
import { OperatorClient, type TestPartner } from '../clients/operator-client';
import { PartnerClient } from '../clients/partner-client';
import type { Credential, PlatformDescription } from '../platform/platform-file';

/** A response that a client did not get, or should not have got. */
export interface Failure {
  readonly at: string;
  readonly what: string;
  /** From when it was sent until it had failed. */
  readonly tookMs: number;
}

/** Whether it may have failed for want of time: a machine that is full looks like that, too. */
export const isLate = ({ tookMs }: Failure): boolean => tookMs >= LATE_MS;

/** How long a client keeps away from an instance that is leaving or gone. */
const AWAY_MS = 700;
const PATIENCE_MS = 20_000;
/** Close to the deadline of a read (spec §1.10), which is the shortest. */
const LATE_MS = 1_900;

/**
 * Several instances of an edge as a well-behaved client uses them: in turn, over connections kept alive, away from one
 * that closes a connection or takes none. A connection that was refused carried no request, and is no failure.
 */
export class Fleet {
  readonly failures: Failure[] = [];
  responses = 0;
  /** The longest that a response, or the lack of one, took. */
  slowestMs = 0;
  private turn = 0;
  private readonly awayUntil = new Map<string, number>();

  constructor(readonly urls: readonly string[]) {}

  /** Sends once: to the next instance that takes the connection. */
  async send<T>(what: string, to: (url: string) => Promise<ApiResponse<T>>): Promise<ApiResponse<T>> {
    const until = performance.now() + PATIENCE_MS;
    for (;;) {
      const url = this.next();
      const sentAt = performance.now();
      const ended = (): void => {
        this.slowestMs = Math.max(this.slowestMs, performance.now() - sentAt);
      };
      const failed = (reason: string): void => {
        const tookMs = Math.round(performance.now() - sentAt);
        this.failures.push({ at: url, what: `${what}: ${reason}`, tookMs });
      };
      try {
        const response = await to(url).finally(ended);
        this.responses += 1;
        if (response.headers.get('connection') === 'close') this.keepAway(url);
        if (response.status >= 500) failed(response.text);
        return response;
      } catch (error) {
        this.keepAway(url);
        const code = codeOf(error);
        if (code !== 'ECONNREFUSED' || performance.now() > until) {
          failed(code);
          throw error;
        }
        await pause(20);
      }
    }
  }

  private next(): string {
    const now = performance.now();
    const free = this.urls.filter((url) => (this.awayUntil.get(url) ?? 0) <= now);
    const open = free.length > 0 ? free : this.urls;
    this.turn += 1;
    return open[this.turn % open.length] ?? '';
  }

  private keepAway(url: string): void {
    this.awayUntil.set(url, performance.now() + AWAY_MS);
  }
}

function codeOf(error: unknown): string {
  const { cause, message } = error as Error & { cause?: { code?: string } };
  return cause?.code ?? message;
}

/** A partner's program that uses every gateway. */
export class FleetPartnerClient extends PartnerClient {
  private readonly clients: ReadonlyMap<string, PartnerClient>;

  constructor(
    private readonly gateways: Fleet,
    credential: Credential,
  ) {
    super(gateways.urls[0] ?? '', credential);
    this.clients = new Map(gateways.urls.map((url) => [url, new PartnerClient(url, credential)]));
  }

  override call<T>(path: string, options: SendOptions = {}): Promise<ApiResponse<T>> {
    return this.gateways.send(path, (url) => this.clients.get(url)!.call<T>(path, options));
  }
}

/** An operator who uses every backoffice. */
export class FleetOperatorClient extends OperatorClient {
  private readonly clients: ReadonlyMap<string, OperatorClient>;

  constructor(
    platform: PlatformDescription,
    private readonly backoffices: Fleet,
  ) {
    super(platform);
    this.clients = new Map(
      backoffices.urls.map((url) => [url, new OperatorClient({ ...platform, backofficeUrl: url })]),
    );
  }

  override call<T>(path: string, options: SendOptions = {}): Promise<ApiResponse<T>> {
    return this.backoffices.send(path, (url) => this.clients.get(url)!.call<T>(path, options));
  }
}

const LONG_PATIENCE_MS = 60_000;

/** Repeats a call that got no response, or by 503, for a minute. */
async function patiently<T>(call: () => Promise<ApiResponse<T>>): Promise<ApiResponse<T>> {
  const until = performance.now() + LONG_PATIENCE_MS;
  for (;;) {
    const response = await call().catch((error: unknown) => {
      if (performance.now() > until) throw error;
      return undefined;
    });
    if (response && (response.status < 500 || performance.now() > until)) return response;
    await pause(150);
  }
}

/** A partner's program for storms while instances die: it repeats reads by itself, and leaves creates to the storm. */
class PatientPartnerClient extends PartnerClient {
  override async accessToken(): Promise<string> {
    const until = performance.now() + LONG_PATIENCE_MS;
    for (;;) {
      try {
        return await super.accessToken();
      } catch (error) {
        if (performance.now() > until) throw error;
        await pause(150);
      }
    }
  }

  override call<T>(path: string, options: SendOptions = {}): Promise<ApiResponse<T>> {
    const isRead = options.body === undefined && options.rawBody === undefined && !options.method;
    return isRead ? patiently(() => super.call<T>(path, options)) : super.call<T>(path, options);
  }
}

/** An operator who prepares storms while instances die. */
export class PatientOperatorClient extends OperatorClient {
  constructor(private readonly at: PlatformDescription) {
    super(at);
  }

  override call<T>(path: string, options: SendOptions = {}): Promise<ApiResponse<T>> {
    return patiently(() => super.call<T>(path, options));
  }

  override async newPartner(options: { deposit?: number; settings?: object } = {}): Promise<TestPartner> {
    const partner = await super.newPartner(options);
    const { sandbox, live } = partner.credentials;
    const { gatewayUrl } = this.at;
    return {
      ...partner,
      sandbox: new PatientPartnerClient(gatewayUrl, sandbox),
      live: new PatientPartnerClient(gatewayUrl, live),
    };
  }
}
