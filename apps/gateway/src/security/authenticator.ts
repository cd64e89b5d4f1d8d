import { decodeProtectedHeader, errors, jwtVerify, type JWTVerifyGetKey } from 'jose';
import { LRUCache } from 'lru-cache';
import { AppError } from '@reseller/errors';
import { toCaller, type Caller } from './claims';
import type { KeySet } from './key-set';
import { reasonOf, type TokenRefusals } from './refusals';
import type { Revocations } from './revocations';

/** spec §2.3 */
const ALGORITHMS = ['EdDSA', 'ES256'];
const AUDIENCE = 'partner-api';
/** How far identity's clock may run ahead of ours; it never prolongs a token. */
const CLOCK_TOLERANCE_SECONDS = 5;
/** Kept while they live; a token is about 1 KiB. */
const CACHED_TOKENS = 20_000;

const BEARER = /^Bearer +([^\s]+) *$/i;

const tokenOf = (authorization = ''): string | undefined => BEARER.exec(authorization)?.[1];

/** A signature's last character has bits to spare; only one spelling of them is the token that identity gave out. */
const isAsEncoded = (part: string): boolean => Buffer.from(part, 'base64url').toString('base64url') === part;

interface AuthenticatorOptions {
  keys: KeySet;
  revocations: Pick<Revocations, 'isKnown' | 'refusalOf' | 'renewal'>;
  issuer: string;
  refusals?: TokenRefusals;
  now?: () => number;
}

/** Verifies bearer tokens against the cached keys, each token once; never calls identity for a single request. */
export class Authenticator {
  private readonly verified = new LRUCache<string, Caller>({ max: CACHED_TOKENS });
  private verifiedWith = 0;

  constructor(private readonly options: AuthenticatorOptions) {}

  /** Who sent the request, when its token was verified before and has neither ended nor been revoked; undefined otherwise. */
  recall(authorization: string | undefined): Caller | undefined {
    const token = tokenOf(authorization);
    if (token === undefined || !this.options.keys.current) return undefined;
    this.forgetOnNewKeys();
    const known = this.verified.get(token);
    if (!known) return undefined;
    if (known.expiresAt > this.now()) return this.options.revocations.refusalOf(known) ? undefined : known;
    this.verified.delete(token);
    return undefined;
  }

  /** Whose token it is, when it was verified before, whether it is good still or not; undefined otherwise. */
  lookUp(authorization: string | undefined): Caller | undefined {
    const token = tokenOf(authorization);
    return token === undefined ? undefined : this.verified.get(token);
  }

  /**
   * Who sent the request. Errors: UNAUTHORIZED_INVALID_TOKEN; UNAUTHORIZED_PARTNER_FROZEN (spec §18.5); SERVICE_UNAVAILABLE for a
   * token that cannot be checked because identity has not given its keys or revocations yet (spec §1.10).
   */
  async authenticate(authorization: string | undefined): Promise<Caller> {
    const token = tokenOf(authorization);
    if (token === undefined) throw new AppError('UNAUTHORIZED_INVALID_TOKEN');
    return this.recall(authorization) ?? this.counted('request', token);
  }

  /**
   * Looks at a token that identity has just issued as if it came with a request, and counts why that would be refused: then everybody is, for
   * the fault is none of the token's. Never throws.
   */
  async tryOut(token: string): Promise<void> {
    await this.counted('issue', token).catch(() => undefined);
  }

  /** What has to be awaited before any token is checked; undefined mostly (Revocations.renewal). */
  renewal(): Promise<void> | undefined {
    return this.options.revocations.renewal();
  }

  /** Throws what the caller's next request would be refused with, for one that waits since its token was checked (spec §18.5). */
  async requireUnrevoked(caller: Caller): Promise<void> {
    await this.renewal();
    const refusal = this.options.revocations.refusalOf(caller);
    if (refusal) throw new AppError(refusal);
  }

  private now(): number {
    return (this.options.now ?? Date.now)();
  }

  private forgetOnNewKeys(): void {
    if (this.verifiedWith === this.options.keys.version) return;
    this.verifiedWith = this.options.keys.version;
    this.verified.clear();
  }

  private async counted(at: 'request' | 'issue', token: string): Promise<Caller> {
    try {
      return await this.verify(token);
    } catch (error) {
      const reason = reasonOf(error);
      if (reason) this.options.refusals?.count(at, reason);
      throw error;
    }
  }

  private async verify(token: string): Promise<Caller> {
    try {
      const { alg } = decodeProtectedHeader(token);
      if (alg === undefined || !ALGORITHMS.includes(alg)) throw new Error(`algorithm ${String(alg)}`);
      if (!token.split('.').every(isAsEncoded)) throw new Error('not base64url as it is encoded');
      const caller = this.verified.get(token) ?? (await this.check(token));
      if (caller.expiresAt <= this.now()) throw new errors.JWTExpired('expired', {}, 'exp');
      // Remembered all the same: the partner may be unfrozen, and to refuse it again shall cost little.
      this.verified.set(token, caller);
      const refusal = this.options.revocations.refusalOf(caller);
      if (refusal) throw new AppError(refusal);
      return caller;
    } catch (error) {
      if (error instanceof AppError) throw error;
      // Whatever a token makes a library throw, the token is at fault.
      throw new AppError('UNAUTHORIZED_INVALID_TOKEN', {}, { cause: error });
    }
  }

  private async check(token: string): Promise<Caller> {
    const { keys, revocations } = this.options;
    if (!keys.current || !revocations.isKnown) throw new AppError('SERVICE_UNAVAILABLE');
    try {
      return await this.checkWith(keys.current, token);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey) || !(await keys.refreshForUnknownKey())) throw error;
      return this.checkWith(keys.current, token);
    }
  }

  private async checkWith(keys: JWTVerifyGetKey, token: string): Promise<Caller> {
    const { payload, protectedHeader } = await jwtVerify(token, keys, {
      algorithms: ALGORITHMS,
      issuer: this.options.issuer,
      audience: AUDIENCE,
      clockTolerance: CLOCK_TOLERANCE_SECONDS,
      currentDate: new Date(this.now()),
      requiredClaims: ['exp', 'nbf', 'iat', 'sub', 'jti'],
    });
    return toCaller(payload, protectedHeader.kid);
  }
}
