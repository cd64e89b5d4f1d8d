import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ActorType, type AuditEntry, type RecordAuditEntryRequest } from '@reseller/contracts';
import { createLogger } from '@reseller/service-kit';
import { createHash } from 'node:crypto';
import { createLocalJWKSet, flattenedVerify, type FlattenedJWS, type JSONWebKeySet } from 'jose';
import { v7 as newId } from 'uuid';
import { byOperator, startFixture, type Fixture } from './identity-fixture';

let fixture: Fixture;
beforeAll(async () => {
  fixture = await startFixture();
});
afterAll(() => fixture.stop());

const anEntry = (fields: Partial<RecordAuditEntryRequest> = {}): RecordAuditEntryRequest => ({
  entryId: newId(),
  actorType: ActorType.OPERATOR,
  action: 'wallet.credit',
  requestId: 'req-1',
  detailsJson: '',
  ...fields,
});

async function chain(limit = 500): Promise<AuditEntry[]> {
  const all: AuditEntry[] = [];
  for (let count = limit; count === limit;) {
    const afterSequence = all.at(-1)?.sequence ?? '0';
    const request = { afterSequence, fromAt: undefined, toAt: undefined, limit };
    const { entries } = await fixture.audit.listAuditEntriesInSequence(request, byOperator);
    all.push(...entries);
    count = entries.length;
  }
  return all;
}

/** No gap, no fork: each names the one before it. */
function expectChained(entries: readonly AuditEntry[]): void {
  expect(entries.map(({ sequence }) => sequence)).toEqual(entries.map((_, at) => String(at + 1)));
  const hashes = ['0'.repeat(64), ...entries.map(({ hash }) => hash)];
  expect(entries.map(({ previousHash }) => previousHash)).toEqual(hashes.slice(0, -1));
  const times = entries.map(({ occurredAt }) => occurredAt?.getTime() ?? 0);
  expect(times).toEqual([...times].sort((a, b) => a - b));
}

describe('the chain of the audit (spec §18.4)', () => {
  it('when an entry is recorded, then its hash is what anybody computes of what the API presents', async () => {
    const request = anEntry({ detailsJson: '{"note":"Ωz","amount":"10.00","a":{"z":1e2,"b":[true,null]}}' });
    const { entry } = await fixture.audit.recordAuditEntry(request, byOperator);
    // RFC 8785 by hand: names in order, no spaces, numbers as in ECMAScript.
    const json =
      `{"actingClientId":null,"actingPartnerId":null,"action":"wallet.credit","actorType":"Operator",` +
      `"details":{"a":{"b":[true,null],"z":100},"amount":"10.00","note":"Ωz"},"id":"${request.entryId}",` +
      `"occurredAt":"${entry?.occurredAt?.toISOString()}","operator":"Olga","partnerId":null,` +
      `"previousHash":"${entry?.previousHash}","requestId":"req-1","sequence":${entry?.sequence},` +
      `"service":"identity","subject":null}`;
    expect(entry?.hash).toBe(createHash('sha256').update(json).digest('hex'));
  });

  it('when two instances record at the same time, also ids that are there, then there is one chain without gaps', async () => {
    const other = await fixture.start();
    const twice = anEntry();
    const recorded = await Promise.all(
      Array.from({ length: 60 }, (_, n) => {
        const instance = n % 2 === 0 ? fixture : other;
        return instance.audit.recordAuditEntry(n % 10 === 0 ? twice : anEntry(), byOperator);
      }),
    );
    await fixture.partners.createPartner({ name: 'Acme', commissionRate: '0' }, byOperator);
    expect(new Set(recorded.map(({ entry }) => entry?.sequence)).size).toBe(55);
    const entries = await chain(7);
    expectChained(entries);
    expect(entries.at(-1)?.action).toBe('partner.create');
  });

  it('when a change is rolled back, then its entry leaves no gap', async () => {
    await expect(
      fixture.partners.createPartner(
        { name: 'Child', commissionRate: '0', parentPartnerId: newId() },
        byOperator,
      ),
    ).rejects.toMatchObject({ code: 'NOT_FOUND_PARTNER' });
    await fixture.audit.recordAuditEntry(anEntry(), byOperator);
    expectChained(await chain());
  });

  it('when an entry without a link is written, by whomever, then the database refuses', async () => {
    const unlinked = fixture.database.pool.query(
      `INSERT INTO audit_entries (id, actor_type, operator, action, request_id)
       VALUES (gen_random_uuid(), 'operator', 'Olga', 'a', 'r')`,
    );
    await expect(unlinked).rejects.toMatchObject({ code: '23502' });
  });

  it('when a span of time is given, then the part of the chain is that of its entries, from inclusive, to exclusive', async () => {
    const entries = await chain();
    const [first, last] = [entries[3], entries.at(-1)];
    const request = { afterSequence: '0', fromAt: first?.occurredAt, toAt: last?.occurredAt, limit: 500 };
    const part = await fixture.audit.listAuditEntriesInSequence(request, byOperator);
    const within = entries.filter(
      ({ occurredAt }) =>
        occurredAt &&
        first?.occurredAt &&
        last?.occurredAt &&
        occurredAt >= first.occurredAt &&
        occurredAt < last.occurredAt,
    );
    expect(part.entries).toEqual(within.slice(0, 500));
  });

  it('when the head is published, then a line of the log has its number and hash, and the key set verifies them by it', async () => {
    const lines: string[] = [];
    const log = createLogger({ name: 'identity', level: 'info' }, { write: (line) => void lines.push(line) });
    await fixture.identity.publishAuditHead(log);
    const { sequence, hash } = (await chain()).at(-1) ?? {};
    const head = { service: 'identity', sequence: Number(sequence), hash };
    const { signed, ...line } = JSON.parse(lines[0] ?? '{}') as { signed: FlattenedJWS };
    expect(line).toMatchObject(head);
    const { jwksJson } = await fixture.tokens.getJwks({}, byOperator);
    const { payload, protectedHeader } = await flattenedVerify(
      signed,
      createLocalJWKSet(JSON.parse(jwksJson) as JSONWebKeySet),
    );
    expect(JSON.parse(Buffer.from(payload).toString())).toEqual({ ...head, iat: expect.any(Number) });
    expect(protectedHeader?.typ).toBe('audit-head+jwt');
  });
});
