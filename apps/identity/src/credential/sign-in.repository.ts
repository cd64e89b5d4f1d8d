import { query, type PreparedStatement, type Queryable, type RetentionRule } from '@reseller/database';
import type { EnvironmentName } from '@reseller/rpc';
import type { PrismaClient } from '../generated/prisma/client';

const DAY_MS = 86_400_000;
const KEPT_MS = 90 * DAY_MS;

/** What is to be recorded of an exchange; `result` is Issued or the code of the refusal. */
interface NewSignIn {
  clientId: string;
  onBehalfOf: string | null;
  result: string;
  fromAddress: string | null;
  requestId: string;
}

/** An exchange as it was recorded. */
export interface SignInRecord extends NewSignIn {
  at: Date;
  environment: EnvironmentName;
}

// Raw: one statement on the way of every token, which does not wait for the disk: a known client id must not show in the time it takes
// (spec §2.4), and nothing else depends on the record. The credential's own row changes once a day at most.
const RECORD: PreparedStatement = {
  name: 'sign-in-record',
  text: `WITH quick AS MATERIALIZED (SELECT set_config('synchronous_commit', 'off', true)),
    used AS (
      UPDATE credentials SET last_used_at = clock_timestamp(), last_used_from = $4
      WHERE client_id = $1 AND $3 = 'Issued'
        AND (last_used_at IS NULL OR last_used_at < clock_timestamp() - interval '1 day')
    )
    INSERT INTO sign_ins (partner_id, client_id, environment, on_behalf_of, result, from_address, request_id)
    SELECT c.partner_id, c.client_id, c.environment, $2, $3, $4, $5 FROM quick, credentials c WHERE c.client_id = $1`,
};

/** For how long sign-ins are kept (spec §18.6). */
export const SIGN_IN_RETENTION: RetentionRule = {
  table: 'sign_ins',
  oldestFirst: 'at',
  expired: 'at < $1',
  keepMs: KEPT_MS,
};

/** Records and lists the exchanges of credentials for tokens. */
export class SignInRepository {
  constructor(
    private readonly prisma: PrismaClient,
    private readonly db: Queryable,
  ) {}

  /** Records an exchange of a credential; that of an unknown client id belongs to nobody and leaves nothing. */
  async record({ clientId, onBehalfOf, result, fromAddress, requestId }: NewSignIn): Promise<void> {
    await query(this.db, RECORD, [clientId, onBehalfOf, result, fromAddress, requestId]);
  }

  /** One page of the last 90 days of a partner's credentials, newest first, and how many there are in all. */
  async list(
    partnerId: string,
    { limit, offset }: { limit: number; offset: number },
  ): Promise<{ signIns: SignInRecord[]; totalCount: number }> {
    const where = { partnerId, at: { gte: new Date(Date.now() - KEPT_MS) } };
    const [signIns, totalCount] = await Promise.all([
      this.prisma.signIn.findMany({
        where,
        orderBy: [{ at: 'desc' }, { id: 'desc' }],
        take: limit,
        skip: offset,
      }),
      this.prisma.signIn.count({ where }),
    ]);
    return { signIns, totalCount };
  }
}
