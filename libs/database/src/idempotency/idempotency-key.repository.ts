import { partnerScopeOf, type CallContext, type PartnerScope } from '@reseller/rpc';
import { query, type PreparedStatement, type Queryable } from '../query';

/** A key and whose it is. */
export interface KeyOwner extends Pick<PartnerScope, 'partnerId' | 'environment'> {
  readonly key: string;
}

/** A key of the call's partner and environment. */
export function ownerOf(call: CallContext, key: string): KeyOwner {
  const { partnerId, environment } = partnerScopeOf(call);
  return { partnerId, environment, key };
}

/** A response as stored: base64 of the message, sealed with a key or not. */
export interface StoredResponse {
  readonly response: string;
  readonly sealedWith: string | null;
}

/** What is known of a key. */
export interface KnownKey {
  readonly fingerprint: string;
  /** Null while an attempt is under way. */
  readonly response: string | null;
  readonly sealedWith: string | null;
}

const IS_KEPT = `created_at > clock_timestamp() - interval '24 hours'`;
const OWN = 'partner_id = $1::uuid AND environment = $2 AND key = $3';

// Raw: in the transaction of the effect. It never waits: of two at once one is refused at once.
const LOCK: PreparedStatement = {
  name: 'idempotency_key_lock',
  text: `SELECT pg_try_advisory_xact_lock(hashtextextended($1, 0)) AS "isMine"`,
};

// Raw: in the transaction of the effect, by the database's clock.
const FIND: PreparedStatement = {
  name: 'idempotency_key_find',
  text: `SELECT fingerprint, encode(response, 'base64') AS response, sealed_with AS "sealedWith"
    FROM idempotency_keys WHERE ${OWN} AND ${IS_KEPT}`,
};

// Raw: in the transaction of the effect; the place of a key that has had its day is taken.
const KEEP: PreparedStatement = {
  name: 'idempotency_key_keep',
  text: `INSERT INTO idempotency_keys AS k (partner_id, environment, key, fingerprint, response, sealed_with)
    VALUES ($1::uuid, $2, $3, $4, decode($5, 'base64'), $6)
    ON CONFLICT (partner_id, environment, key) DO UPDATE SET fingerprint = EXCLUDED.fingerprint,
      response = EXCLUDED.response, sealed_with = EXCLUDED.sealed_with, memo = NULL, lease_until = NULL,
      created_at = clock_timestamp()
    WHERE k.created_at <= clock_timestamp() - interval '24 hours'
    RETURNING 1 AS kept`,
};

// Raw: one of two at the same time takes the attempt up; one that was given up keeps what it had settled.
const CLAIM: PreparedStatement = {
  name: 'idempotency_key_claim',
  text: `INSERT INTO idempotency_keys AS k (partner_id, environment, key, fingerprint, memo, lease_until)
    VALUES ($1::uuid, $2, $3, $4, $5::jsonb, clock_timestamp() + $6::float8 * interval '1 millisecond')
    ON CONFLICT (partner_id, environment, key) DO UPDATE SET fingerprint = EXCLUDED.fingerprint, response = NULL,
      sealed_with = NULL, lease_until = EXCLUDED.lease_until,
      memo = CASE WHEN k.${IS_KEPT} THEN k.memo ELSE EXCLUDED.memo END,
      created_at = CASE WHEN k.${IS_KEPT} THEN k.created_at ELSE clock_timestamp() END
    WHERE NOT k.${IS_KEPT} OR (k.response IS NULL AND k.lease_until <= clock_timestamp() AND k.fingerprint = EXCLUDED.fingerprint)
    RETURNING memo, lease_until::text AS "leaseUntil"`,
};

// Raw: in the transaction of the effect, while the attempt is its claimer's.
const FINISH: PreparedStatement = {
  name: 'idempotency_key_finish',
  text: `UPDATE idempotency_keys SET response = decode($4, 'base64'), sealed_with = $5
    WHERE ${OWN} AND response IS NULL AND lease_until::text = $6 RETURNING 1 AS kept`,
};

// Raw: while the attempt is its claimer's.
const FREE: PreparedStatement = {
  name: 'idempotency_key_free',
  text: `DELETE FROM idempotency_keys WHERE ${OWN} AND response IS NULL AND lease_until::text = $4`,
};

const valuesOf = ({ partnerId, environment, key }: KeyOwner): unknown[] => [partnerId, environment, key];

/** Takes the key for this transaction; false when another one has it. */
export async function lockKey(db: Queryable, { partnerId, environment, key }: KeyOwner): Promise<boolean> {
  const [row] = await query<{ isMine: boolean }>(db, LOCK, [`${environment} ${partnerId} ${key}`]);
  return row?.isMine === true;
}

/** What is known of a key that is not older than a day. */
export async function findKey(db: Queryable, owner: KeyOwner): Promise<KnownKey | undefined> {
  return (await query<KnownKey>(db, FIND, valuesOf(owner)))[0];
}

/** Keeps a response under its key; false when the key is there. */
export async function keepResponse(
  db: Queryable,
  owner: KeyOwner,
  fingerprint: string,
  { response, sealedWith }: StoredResponse,
): Promise<boolean> {
  const values = [...valuesOf(owner), fingerprint, response, sealedWith];
  return (await query(db, KEEP, values)).length > 0;
}

/** An attempt that is under way outside of a transaction, and what it has settled. */
export interface ClaimedKey<Memo> {
  readonly memo: Memo;
  readonly leaseUntil: string;
}

/** Takes an attempt up, a new one or one that was given up; undefined when the key has its response or is somebody else's now. */
export async function claimKey<Memo>(
  db: Queryable,
  owner: KeyOwner,
  { fingerprint, memo, leaseMs }: { fingerprint: string; memo: Memo; leaseMs: number },
): Promise<ClaimedKey<Memo> | undefined> {
  const values = [...valuesOf(owner), fingerprint, JSON.stringify(memo), leaseMs];
  return (await query<ClaimedKey<Memo>>(db, CLAIM, values))[0];
}

/** Ends an attempt with its response; false when somebody else has taken it up since. */
export async function finishKey(
  db: Queryable,
  owner: KeyOwner,
  { leaseUntil }: ClaimedKey<unknown>,
  { response, sealedWith }: StoredResponse,
): Promise<boolean> {
  const values = [...valuesOf(owner), response, sealedWith, leaseUntil];
  return (await query(db, FINISH, values)).length > 0;
}

/** Gives up an attempt that was refused: its key is free again. */
export async function freeKey(
  db: Queryable,
  owner: KeyOwner,
  { leaseUntil }: ClaimedKey<unknown>,
): Promise<void> {
  await query(db, FREE, [...valuesOf(owner), leaseUntil]);
}
