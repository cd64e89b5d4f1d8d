import { AppError, ERROR_CATALOGUE, isAppError } from '@reseller/errors';
import type { CallContext } from '@reseller/rpc';
import type { RetentionRule } from '../retention/rule';
import type { Queryable } from '../query';
import {
  claimKey,
  findKey,
  finishKey,
  freeKey,
  keepResponse,
  lockKey,
  ownerOf,
  type ClaimedKey,
  type KeyOwner,
  type KnownKey,
  type StoredResponse,
} from './idempotency-key.repository';

/** Runs work in one transaction, with its statements and what a use case works with, bound to it. */
export type Within<Deps> = <T>(work: (sql: Queryable, deps: Deps) => Promise<T>) => Promise<T>;

/** Encrypts responses that hold secrets, each for its row; a SecretSeal is one. */
export interface ResponseSeal {
  seal(rowId: string, text: string): { readonly ciphertext: Uint8Array; readonly keyId: string };
  open(rowId: string, sealed: { readonly ciphertext: Uint8Array; readonly keyId: string }): string;
}

/** What keyed calls are made with. */
interface KeyedCallsDeps<Deps> {
  readonly db: Queryable;
  /** What a use case works with outside of any transaction of ours. */
  readonly deps: Deps;
  readonly within: Within<Deps>;
  /** Absent where no response holds a secret. */
  readonly seal?: ResponseSeal | undefined;
}

/** An effect outside of the database, which is settled, made and recorded. */
interface LeasedWork<Deps, Memo, Result, Response> {
  /** Settles what every attempt has in common, such as ids. */
  readonly settle: () => Memo;
  /** Makes the effect; what it throws as an error of the catalogue below 500 is a refusal, and frees the key. */
  readonly attempt: (memo: Memo) => Promise<Result>;
  /** Records it in one transaction with the key's response. */
  readonly record: (deps: Deps, memo: Memo, result: Result) => Promise<Response>;
}

type Prepare<Prepared> = () => Promise<Prepared>;

/** What of a generated method turns its response into bytes and back. */
interface Keyed<R> {
  responseSerialize(response: R): Buffer;
  responseDeserialize(bytes: Buffer): R;
}

/** An attempt may take 10 s and be recorded after it; one that died is taken up by a repeat after so long. */
const LEASE_MS = 20_000;

/** For how long keys are kept (spec §1.11). */
export const keyRetention: RetentionRule = {
  table: 'idempotency_keys',
  oldestFirst: 'created_at',
  expired: 'created_at < $1',
  keepMs: 86_400_000,
};

/**
 * Makes calls once for their idempotency key (spec §1.11): the key is written in the transaction of its effect, together with
 * the response, which a repetition gets again. Throws CONFLICT_IDEMPOTENCY_KEY_REUSED for another request under the key and
 * CONFLICT_REQUEST_IN_PROGRESS while the first is under way. A refusal leaves no key behind. Calls without one run as they are.
 */
export class KeyedCalls<Deps> {
  constructor(private readonly options: KeyedCallsDeps<Deps>) {}

  /**
   * Runs an effect that is all in the database. It holds a connection, so it works with what it is handed only: what takes another
   * one, or calls a service, is for `prepare`, which comes before its transaction and not for a repetition.
   */
  async run<R extends object, Prepared = undefined>(
    call: CallContext,
    method: Keyed<R>,
    effect: (deps: Deps, prepared: Prepared) => Promise<NoInfer<R>>,
    ...[prepare]: undefined extends Prepared ? [prepare?: Prepare<Prepared>] : [prepare: Prepare<Prepared>]
  ): Promise<R> {
    const { db, deps, within } = this.options;
    const { idempotency } = call;
    if (!idempotency) return effect(deps, (await prepare?.()) as Prepared);
    const owner = ownerOf(call, idempotency.key);
    const known = await findKey(db, owner);
    if (known) return this.replay(known, owner, idempotency.fingerprint, method);
    const prepared = (await prepare?.()) as Prepared;
    return within(async (sql, own) => {
      if (!(await lockKey(sql, owner))) throw new AppError('CONFLICT_REQUEST_IN_PROGRESS');
      // Another one may have ended between the look and the lock.
      const meanwhile = await findKey(sql, owner);
      if (meanwhile) return this.replay(meanwhile, owner, idempotency.fingerprint, method);
      const response = await effect(own, prepared);
      const stored = this.toStored(owner, response, method);
      if (!(await keepResponse(sql, owner, idempotency.fingerprint, stored)))
        throw new AppError('CONFLICT_REQUEST_IN_PROGRESS');
      return response;
    });
  }

  /**
   * Runs an effect outside of the database, which no transaction may wait for. An attempt that died is made again by a
   * repetition once its lease is over, with what it had settled; it is recorded once.
   */
  async runLeased<Memo, Result, R extends object>(
    call: CallContext,
    method: Keyed<R>,
    work: LeasedWork<Deps, Memo, Result, NoInfer<R>>,
  ): Promise<R> {
    const { db, deps, within } = this.options;
    const { idempotency } = call;
    if (!idempotency) {
      const memo = work.settle();
      return work.record(deps, memo, await work.attempt(memo));
    }
    const owner = ownerOf(call, idempotency.key);
    const { fingerprint } = idempotency;
    const claimed = await claimKey(db, owner, { fingerprint, memo: work.settle(), leaseMs: LEASE_MS });
    if (!claimed) return this.replay(await findKey(db, owner), owner, fingerprint, method);
    const result = await this.attempt(owner, claimed, work);
    return within(async (sql, own) => {
      const response = await work.record(own, claimed.memo, result);
      if (!(await finishKey(sql, owner, claimed, this.toStored(owner, response, method))))
        throw new AppError('CONFLICT_REQUEST_IN_PROGRESS');
      return response;
    });
  }

  private async attempt<Memo, Result, R>(
    owner: KeyOwner,
    claimed: ClaimedKey<Memo>,
    work: LeasedWork<Deps, Memo, Result, R>,
  ): Promise<Result> {
    try {
      return await work.attempt(claimed.memo);
    } catch (error) {
      if (isAppError(error) && ERROR_CATALOGUE[error.code].status < 500)
        await freeKey(this.options.db, owner, claimed);
      throw error;
    }
  }

  private replay<R extends object>(
    known: KnownKey | undefined,
    owner: KeyOwner,
    fingerprint: string,
    method: Keyed<R>,
  ): R {
    if (known && known.fingerprint !== fingerprint) throw new AppError('CONFLICT_IDEMPOTENCY_KEY_REUSED');
    if (!known || known.response === null) throw new AppError('CONFLICT_REQUEST_IN_PROGRESS');
    const { response, sealedWith } = known;
    const bytes = this.open(owner, { response, sealedWith });
    return Object.assign(method.responseDeserialize(bytes), { isReplayed: true });
  }

  private toStored<R>(owner: KeyOwner, response: R, method: Keyed<R>): StoredResponse {
    const bytes = method.responseSerialize(response).toString('base64');
    const { seal } = this.options;
    if (!seal) return { response: bytes, sealedWith: null };
    const { ciphertext, keyId } = seal.seal(rowIdOf(owner), bytes);
    return { response: Buffer.from(ciphertext).toString('base64'), sealedWith: keyId };
  }

  private open(owner: KeyOwner, { response, sealedWith }: StoredResponse): Buffer {
    const bytes = Buffer.from(response, 'base64');
    const { seal } = this.options;
    if (sealedWith === null) return bytes;
    if (!seal) throw new Error('a stored response is sealed, and there is no key to open it with');
    return Buffer.from(seal.open(rowIdOf(owner), { ciphertext: bytes, keyId: sealedWith }), 'base64');
  }
}

const rowIdOf = ({ partnerId, environment, key }: KeyOwner): string => `${environment} ${partnerId} ${key}`;
