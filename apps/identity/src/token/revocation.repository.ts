import { queryWithoutEvents, type PreparedStatement } from '@reseller/database';
import type { Pool } from 'pg';

/** Whose tokens are refused though they have not expired; each list in order. */
interface RevocationLists {
  frozenPartnerIds: string[];
  revokedClientIds: string[];
  revokedKeyIds: string[];
}

// Raw: every gateway reads it every second, so it is one round trip over two partial indexes; a frozen partner finds its subtree by
// the index of paths.
const LIST: PreparedStatement = {
  name: 'token-revocations',
  text: `SELECT
      ARRAY(SELECT DISTINCT p.id::text FROM partners f JOIN partners p ON p.path @> ARRAY[f.id] WHERE f.is_frozen ORDER BY 1)
        AS "frozenPartnerIds",
      ARRAY(SELECT c.client_id FROM credentials c
        WHERE c.revoked_at > clock_timestamp() - make_interval(secs => $1::float8 / 1000) ORDER BY c.client_id)
        AS "revokedClientIds",
      ARRAY(SELECT k.key_id FROM signing_keys k WHERE k.revoked_at IS NOT NULL ORDER BY k.key_id) AS "revokedKeyIds"`,
};

/** Reads what the database knows of tokens that are refused before they expire. */
export class RevocationRepository {
  constructor(private readonly pool: Pool) {}

  /** Partners frozen now, with everybody below them, credentials revoked within the last `revokedForMs`, and signing keys revoked and still kept. */
  async list(revokedForMs: number): Promise<RevocationLists> {
    const [row] = await queryWithoutEvents<RevocationLists>(this.pool, LIST, [revokedForMs]);
    if (!row) throw new Error('the lists are always one row');
    return row;
  }
}
