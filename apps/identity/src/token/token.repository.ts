import { query, type PreparedStatement, type Queryable } from '@reseller/database';
import type { EnvironmentName } from '@reseller/rpc';
import type { KeyedHash } from '../secret/keyed-hashes';
import type { TokenPartner } from './domain/delegation';

/** What the database knows about a token request. */
export interface TokenLookup {
  credential:
    | {
        clientId: string;
        environment: EnvironmentName;
        hashed: KeyedHash;
        isRevoked: boolean;
        expiresAt: Date | null;
        allowedCidrs: string[];
      }
    | undefined;
  caller: TokenPartner | undefined;
  target: TokenPartner | undefined;
  /** How many signing keys are revoked: another number than a while ago means that others sign now. */
  revokedSigningKeys: number;
}

interface LookupRow {
  client_id: string | null;
  environment: EnvironmentName | null;
  secret_hash: Uint8Array<ArrayBuffer> | null;
  hash_key_id: string;
  revoked: boolean;
  expires_at: Date | null;
  allowed_cidrs: string[];
  caller_id: string | null;
  caller_global_id: string;
  caller_path: string[];
  caller_is_active: boolean;
  caller_is_frozen: boolean;
  target_id: string | null;
  target_global_id: string;
  target_path: string[];
  target_is_active: boolean;
  target_is_frozen: boolean;
  revoked_signing_keys: number;
}

const NO_PARTNER = '00000000-0000-0000-0000-000000000000';

/** What holds of the partner or anybody above it (spec §2.6, §18.5); of one that does not exist it is looked up once, and null. */
const withAncestors = (partner: string): string =>
  `LATERAL (SELECT bool_and(a.is_active) AS is_active, bool_or(a.is_frozen) AS is_frozen FROM partners a
    WHERE a.id = ANY (coalesce(${partner}.path, ARRAY['${NO_PARTNER}'::uuid])))`;

// Raw: spec §2.4. Always one row and always index probes alone, one for each partner of a path: an unknown client id must not
// show in the time it takes (spec §2.4), so it still looks for a partner, the one that has no id.
const LOOK_UP: PreparedStatement = {
  name: 'token-look-up',
  text: `SELECT c.client_id, c.environment, c.secret_hash, c.hash_key_id, c.revoked_at IS NOT NULL AS revoked,
      c.expires_at, c.allowed_cidrs,
      p.id AS caller_id, p.global_id AS caller_global_id, p.path AS caller_path,
      pa.is_active AS caller_is_active, pa.is_frozen AS caller_is_frozen,
      t.id AS target_id, t.global_id AS target_global_id, t.path AS target_path,
      ta.is_active AS target_is_active, ta.is_frozen AS target_is_frozen,
      (SELECT count(*)::int FROM signing_keys WHERE revoked_at IS NOT NULL) AS revoked_signing_keys
    FROM (VALUES (1)) AS request
    LEFT JOIN credentials c ON c.client_id = $1
    LEFT JOIN partners p ON p.id = coalesce(c.partner_id, '${NO_PARTNER}')
    LEFT JOIN partners t ON t.id = $2::uuid
    CROSS JOIN ${withAncestors('p')} pa
    CROSS JOIN ${withAncestors('t')} ta`,
};

/** Looks up all that a token request is decided by, in one round trip. */
export class TokenRepository {
  constructor(private readonly db: Queryable) {}

  /** The credential, its partner and the partner to act for; each undefined when there is none. */
  async lookUp(clientId: string, onBehalfOf: string | undefined): Promise<TokenLookup> {
    const [row] = await query<LookupRow>(this.db, LOOK_UP, [clientId, onBehalfOf ?? null]);
    if (!row) throw new Error('the look-up of a token request gives exactly one row');
    const { client_id: id, environment, secret_hash: hash } = row;
    return {
      credential:
        id !== null && environment !== null && hash !== null
          ? {
              ...{
                clientId: id,
                environment,
                hashed: { hash, keyId: row.hash_key_id },
                isRevoked: row.revoked,
              },
              ...{ expiresAt: row.expires_at, allowedCidrs: row.allowed_cidrs },
            }
          : undefined,
      caller: toPartner(row, 'caller'),
      target: toPartner(row, 'target'),
      revokedSigningKeys: row.revoked_signing_keys,
    };
  }
}

function toPartner(row: LookupRow, who: 'caller' | 'target'): TokenPartner | undefined {
  const id = row[`${who}_id`];
  if (id === null) return undefined;
  return {
    id,
    globalId: row[`${who}_global_id`],
    path: row[`${who}_path`],
    isActive: row[`${who}_is_active`],
    isFrozen: row[`${who}_is_frozen`],
  };
}
