import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  ActorType,
  Environment,
  type AuditEntry,
  type ListAuditEntriesRequest,
  type RecordAuditEntryRequest,
} from '@reseller/contracts';
import type { CallContext } from '@reseller/rpc';
import { v7 as newId } from 'uuid';
import { LIST_OF_PARTNER } from '../src/audit/audit.repository';
import { byOperator, startFixture, type Fixture } from './identity-fixture';

let fixture: Fixture;
beforeAll(async () => {
  fixture = await startFixture();
});
afterAll(() => fixture.stop());

function anEntry(fields: Partial<RecordAuditEntryRequest> = {}): RecordAuditEntryRequest {
  return {
    entryId: newId(),
    actorType: ActorType.OPERATOR,
    operator: 'Olga',
    action: 'wallet.credit',
    requestId: 'req-1',
    detailsJson: '{"amount":"10.00"}',
    ...fields,
  };
}

const byPartner: Partial<RecordAuditEntryRequest> = { actorType: ActorType.PARTNER, operator: undefined };

/** The call of a delegated token. */
const delegated = (actingPartnerId: string, partnerId: string): CallContext => ({
  requestId: 'req-1',
  partner: {
    partnerId,
    partnerGlobalId: 'PRT-000001',
    path: [actingPartnerId, partnerId],
    environment: Environment.LIVE,
    clientId: 'pk_live_1',
    actingPartnerId,
    actingClientId: 'pk_live_1',
  },
});

async function record(fields?: Partial<RecordAuditEntryRequest>, call = byOperator): Promise<AuditEntry> {
  const { entry } = await fixture.audit.recordAuditEntry(anEntry(fields), call);
  if (!entry) throw new Error('no entry in the response');
  return entry;
}

async function list(fields: Partial<ListAuditEntriesRequest>): Promise<string[]> {
  const request = { page: undefined, fromAt: undefined, toAt: undefined, ...fields };
  return (await fixture.audit.listAuditEntries(request, byOperator)).entries.map(({ id }) => id);
}

describe('the audit', () => {
  it('when an entry is recorded again under its id, then nothing changes and the first is returned', async () => {
    const entry = anEntry({ partnerId: newId(), subject: 'ORD-1' });
    const responses = await Promise.all(
      Array.from({ length: 10 }, (_, n) =>
        fixture.audit.recordAuditEntry(n === 0 ? entry : { ...entry, action: `other.${n}` }, byOperator),
      ),
    );
    const [first] = responses;
    for (const response of responses) expect(response).toEqual(first);
    expect(first?.entry).toMatchObject({
      id: entry.entryId,
      subject: 'ORD-1',
      detailsJson: '{"amount":"10.00"}',
    });
    expect(await list({ partnerId: entry.partnerId })).toEqual([entry.entryId]);
  });

  it('when a span of time is given, then from belongs to it and to does not', async () => {
    const partnerId = newId();
    const at = (ms: number): Date => new Date(Date.UTC(2020, 0, 1) + ms);
    const [first, second, third] = [newId(), newId(), newId()];
    await fixture.database.pool.query(
      `INSERT INTO audit_entries (id, actor_type, operator, partner_id, action, request_id, occurred_at, sequence, previous_hash, hash)
       SELECT id, 'operator', 'Olga', $1, 'a', 'r', at, 1000000 + n, repeat('0', 64), repeat('0', 64)
       FROM unnest($2::uuid[], $3::timestamptz[]) WITH ORDINALITY AS entry (id, at, n)`,
      [partnerId, [first, second, third], [at(0), at(1), at(2)]],
    );
    expect(await list({ partnerId, fromAt: at(0), toAt: at(2) })).toEqual([second, first]);
    expect(await list({ partnerId, fromAt: at(1) })).toEqual([third, second]);
    expect(await list({ fromAt: at(1), toAt: at(2) })).toEqual([second]);
  });

  it.each(['UPDATE audit_entries SET action = $$x$$', 'DELETE FROM audit_entries', 'TRUNCATE audit_entries'])(
    'when somebody tries %s, then the database refuses, even for its owner',
    async (statement) => {
      await record();
      await expect(fixture.database.pool.query(statement)).rejects.toThrow('append-only');
    },
  );

  it('when the service’s own role is no superuser, then it lacks the grants too', async () => {
    const { rows } = await fixture.database.pool.query<{ privilege: string }>(
      `SELECT privilege_type AS privilege FROM information_schema.table_privileges
       WHERE table_name = 'audit_entries' AND privilege_type IN ('UPDATE', 'DELETE', 'TRUNCATE')`,
    );
    expect(rows).toEqual([]);
  });

  it('when an entry is unfit, then every fault is named', async () => {
    const unfit = anEntry({
      entryId: 'x',
      partnerId: 'y',
      action: '',
      operator: undefined,
      detailsJson: '[1]',
    });
    await expect(fixture.audit.recordAuditEntry(unfit, byOperator)).rejects.toMatchObject({
      code: 'VALIDATION_FAILED',
      details: {
        errors: ['entryId', 'partnerId', 'action', 'detailsJson'].map((path) =>
          expect.objectContaining({ path }),
        ),
      },
    });
    await expect(list({ partnerId: 'nobody' })).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
  });

  it('when the request names another operator than the call, or the call none, then it is the call’s or refused', async () => {
    expect((await record({ operator: 'Mallory' })).operator).toBe('Olga');
    const unnamed = fixture.audit.recordAuditEntry(anEntry(), { requestId: 'r' });
    await expect(unnamed).rejects.toMatchObject({ code: 'INTERNAL_ERROR' });
  });

  it('when the request names another acting partner than the call, or the call none, then it is the call’s or refused', async () => {
    const [parent, child] = [newId(), newId()];
    const forged = { ...byPartner, actingPartnerId: newId(), actingClientId: 'pk_other', partnerId: newId() };
    expect(await record(forged, delegated(parent, child))).toMatchObject({
      actingPartnerId: parent,
      actingClientId: 'pk_live_1',
      partnerId: child,
    });
    const unnamed = fixture.audit.recordAuditEntry(anEntry(forged), byOperator);
    await expect(unnamed).rejects.toMatchObject({ code: 'INTERNAL_ERROR' });
  });

  it('when the subject is any text a partner may choose, then it is recorded all the same', async () => {
    expect((await record({ subject: 'line\nbreak' })).subject).toBe('line\nbreak');
    expect((await record({ subject: 'a\u0000b' })).subject).toBe('a\ufffdb');
  });

  it('when details hold a null character in JSON, then they are kept as they came', async () => {
    const entry = await record({ detailsJson: '{"note":"a\\u0000b"}' });
    expect(entry.detailsJson).toBe('{"note":"a\\u0000b"}');
  });

  it('when a partner has a long history, then a page comes off the indexes in order and its history is not sorted', async () => {
    const partnerId = newId();
    const { pool } = fixture.database;
    await pool.query(
      `INSERT INTO audit_entries (id, actor_type, acting_partner_id, acting_client_id, partner_id, action, request_id, occurred_at,
         sequence, previous_hash, hash)
       SELECT gen_random_uuid(), 'partner', CASE WHEN n % 2 = 0 THEN $1::uuid ELSE gen_random_uuid() END, 'c',
         CASE WHEN n % 2 = 0 THEN gen_random_uuid() ELSE $1::uuid END, 'a', 'r', now() - n * interval '1 second',
         2000000 + n, repeat('0', 64), repeat('0', 64)
       FROM generate_series(1, 20000) AS n`,
      [partnerId],
    );
    await pool.query('ANALYZE audit_entries');
    const { rows } = await pool.query<{ 'QUERY PLAN': string }>(`EXPLAIN ${LIST_OF_PARTNER.text}`, [
      partnerId,
      null,
      null,
      20,
      0,
    ]);
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    expect(plan.match(/Index Scan using \w+ on audit_entries/g)).toHaveLength(2);
    expect(plan).not.toMatch(/Seq Scan|Bitmap/);
  });
});
