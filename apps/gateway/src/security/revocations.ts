import type { GetRevocationsRequest, GetRevocationsResponse } from '@reseller/contracts';
import type { ErrorCode } from '@reseller/errors';
import { Gauge, type Registry } from 'prom-client';
import type { Logger } from 'pino';
import type { Caller } from './claims';

/** What the lists are kept up to date with. */
interface RevocationsOptions {
  fetch: (request: GetRevocationsRequest) => Promise<GetRevocationsResponse>;
  log: Pick<Logger, 'info' | 'warn'>;
  metrics?: Registry | undefined;
  /** Called when a signing key was revoked. */
  onKeysRevoked?: () => void;
}

/** Far below the 5 s of spec §18.5, so that a lost call or two do not matter. */
const INTERVAL_MS = 1_000;
/** While no token is checked. With a call that is lost only after 1.5 s and a rest after it, the next one still comes within 5 s. */
const IDLE_INTERVAL_MS = 1_500;
/** Until the first lists no token can be checked, so they are fetched more eagerly. */
const FIRST_RETRY_MS = 100;
/** Longer than from the beginning of one fetch to the end of the next, of a process that runs. */
const OVERDUE_MS = 5_000;

/**
 * Identity's lists of tokens that are refused before they expire (spec §18.5), fetched every second while tokens are checked, and kept
 * while identity is away: it issues no token then, so none is missed for longer than a token lives. Until the first fetch nothing is known.
 */
export class Revocations {
  private frozenPartnerIds: ReadonlySet<string> = new Set();
  private revokedClientIds: ReadonlySet<string> = new Set();
  private revokedKeyIds: ReadonlySet<string> = new Set();
  private version = '';
  private fetchedAt: number | undefined;
  /** When the last fetch began that has ended, whatever came of it. */
  private freshFrom = performance.now();
  private fetching: Promise<void> | undefined;
  private isFailing = false;
  /** Whether a token was checked since the last fetch. */
  private isUsed = false;
  private timer: NodeJS.Timeout | undefined;
  private stopped = false;

  constructor(private readonly options: RevocationsOptions) {
    const { metrics } = options;
    if (!metrics) return;
    const createdAt = performance.now();
    const gauge: Gauge = new Gauge({
      name: 'gateway_revocations_age_seconds',
      help: 'For how long this instance has not heard from identity which tokens to refuse. Every instance fetches for itself: take max().',
      registers: [metrics],
      collect: () => gauge.set((performance.now() - (this.fetchedAt ?? createdAt)) / 1000),
    });
  }

  /** Whether the lists were fetched once; a token cannot be checked before. */
  get isKnown(): boolean {
    return this.fetchedAt !== undefined;
  }

  /** Why the tokens of this caller are refused, or undefined. */
  refusalOf({ scope, limitedAs, keyId }: Caller): ErrorCode | undefined {
    this.isUsed = true;
    if (keyId !== undefined && this.revokedKeyIds.has(keyId)) return 'UNAUTHORIZED_INVALID_TOKEN';
    if (this.revokedClientIds.has(limitedAs)) return 'UNAUTHORIZED_INVALID_TOKEN';
    if (this.frozenPartnerIds.has(scope.partnerId)) return 'UNAUTHORIZED_PARTNER_FROZEN';
    // Of a partner that was moved away from below the one that acts.
    const { actingPartnerId } = scope;
    return actingPartnerId !== undefined && this.frozenPartnerIds.has(actingPartnerId)
      ? 'UNAUTHORIZED_PARTNER_FROZEN'
      : undefined;
  }

  /**
   * For a process that stood still, and whose lists are from before: resolves once identity has responded to another fetch, or failed to.
   * Undefined for one that runs.
   */
  renewal(): Promise<void> | undefined {
    return this.isOverdue ? this.renew() : undefined;
  }

  /** Begins to fetch in the background, at once and then again and again. */
  start(): void {
    void this.fetch();
  }

  /** Ends the background work. */
  stop(): void {
    this.stopped = true;
    clearTimeout(this.timer);
  }

  private get isOverdue(): boolean {
    return !this.stopped && performance.now() - this.freshFrom > OVERDUE_MS;
  }

  private async renew(): Promise<void> {
    // A call that was under way brings what identity knew before.
    while (this.isOverdue) await this.fetch();
  }

  private fetch(): Promise<void> {
    this.fetching ??= this.fetchOnce().finally(() => {
      this.fetching = undefined;
    });
    return this.fetching;
  }

  private async fetchOnce(): Promise<void> {
    const { fetch, log } = this.options;
    const startedAt = performance.now();
    try {
      const response = await fetch({ knownVersion: this.version });
      if (!response.isUnchanged) this.use(response);
      this.fetchedAt = performance.now();
      this.isFailing = false;
    } catch (err) {
      if (!this.isFailing && !this.stopped)
        log.warn({ err }, 'identity returned no revocations; trying again');
      this.isFailing = true;
    }
    this.freshFrom = startedAt;
    if (this.stopped) return;
    const restMs = this.isUsed || this.isFailing ? INTERVAL_MS : IDLE_INTERVAL_MS;
    this.isUsed = false;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.fetch(), this.isKnown ? restMs : FIRST_RETRY_MS);
    this.timer.unref();
  }

  private use(response: GetRevocationsResponse): void {
    const { version, frozenPartnerIds, revokedClientIds, revokedKeyIds } = response;
    this.version = version;
    this.frozenPartnerIds = new Set(frozenPartnerIds);
    this.revokedClientIds = new Set(revokedClientIds);
    const areNew = revokedKeyIds.some((keyId) => !this.revokedKeyIds.has(keyId));
    this.revokedKeyIds = new Set(revokedKeyIds);
    // Those that sign instead are not published ahead of time.
    if (areNew) this.options.onKeysRevoked?.();
    const counts = { frozenPartners: frozenPartnerIds.length, revokedCredentials: revokedClientIds.length };
    this.options.log.info({ event: 'revocations', ...counts }, 'the tokens to refuse changed');
  }
}
