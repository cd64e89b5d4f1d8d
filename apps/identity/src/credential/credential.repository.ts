import { query, type PreparedStatement, type Queryable } from '@reseller/database';
import type { EnvironmentName } from './environment';

/** A credential as stored, without the hash of its secret. */
export interface CredentialRecord {
  clientId: string;
  partnerId: string;
  environment: EnvironmentName;
  createdAt: Date;
  revokedAt: Date | null;
}

const COLUMNS = `client_id AS "clientId", partner_id AS "partnerId", environment, created_at AS "createdAt",
  revoked_at AS "revokedAt"`;

const INSERT: PreparedStatement = {
  name: 'credential-insert',
  text: `INSERT INTO credentials (client_id, partner_id, environment, secret_hash)
    SELECT $1::text, p.id, $3::environment, $4::bytea FROM partners p WHERE p.id = $2 RETURNING ${COLUMNS}`,
};
const REVOKE: PreparedStatement = {
  name: 'credential-revoke',
  text: `UPDATE credentials SET revoked_at = clock_timestamp() WHERE client_id = $1 AND revoked_at IS NULL
    RETURNING ${COLUMNS}`,
};
const FIND: PreparedStatement = {
  name: 'credential-find',
  text: `SELECT ${COLUMNS} FROM credentials WHERE client_id = $1`,
};

/** Reads and writes credentials; every function takes the caller's transaction. */
export class CredentialRepository {
  /** Stores a new credential; undefined when there is no such partner. */
  async insert(
    tx: Queryable,
    credential: { clientId: string; partnerId: string; environment: EnvironmentName; secretHash: Buffer },
  ): Promise<CredentialRecord | undefined> {
    const { clientId, partnerId, environment, secretHash } = credential;
    const [row] = await query<CredentialRecord>(tx, INSERT, [clientId, partnerId, environment, secretHash]);
    return row;
  }

  /** Ends a credential and returns it; undefined when it is unknown or ended already. */
  async revoke(tx: Queryable, clientId: string): Promise<CredentialRecord | undefined> {
    const [row] = await query<CredentialRecord>(tx, REVOKE, [clientId]);
    return row;
  }

  /** The credential, or undefined. */
  async find(tx: Queryable, clientId: string): Promise<CredentialRecord | undefined> {
    const [row] = await query<CredentialRecord>(tx, FIND, [clientId]);
    return row;
  }
}
