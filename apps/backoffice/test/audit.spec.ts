import { describe, expect, it } from '@jest/globals';
import { ActorType, AuditServiceService } from '@reseller/contracts';
import { v4 as newId } from 'uuid';
import { useBackoffice } from './support/backoffice';

const backoffice = useBackoffice();

describe('the audit', () => {
  it('when it is read, then entries come as a page with their details', async () => {
    const response = await backoffice.send(
      'GET',
      '/audit?from=2026-01-01T00:00:00Z&to=2026-12-31T00:00:00%2B03:00',
    );
    expect(response.body.payload).toMatchObject({
      items: [
        { actorType: 'Operator', operator: 'olga', action: 'wallet.credit', details: { amount: '10.50' } },
      ],
    });
    expect((await backoffice.send('GET', '/audit?from=yesterday')).body.state).toBe('VALIDATION_FAILED');
  });

  it('when it is exported as CSV, then it has the rows that fit the filters of its list, piece by piece', async () => {
    const partnerId = newId();
    const pieces = [Array.from({ length: 500 }, (_, at) => at + 1), [501]];
    const identity = backoffice.fakes.of('identity').handlers(AuditServiceService);
    identity.listAuditEntriesInSequence = (request) => {
      expect(request).toMatchObject({ partnerId, fromAt: new Date('2026-01-01T00:00:00Z') });
      const sequences = pieces.shift() ?? [];
      return {
        entries: sequences.map((sequence) => ({
          ...{ actorType: ActorType.OPERATOR, operator: '=olga', partnerId, action: 'wallet.credit' },
          ...{ sequence: String(sequence), detailsJson: '{"amount":"10.50"}' },
        })),
      };
    };
    const response = await backoffice.fetch(`/audit/csv?partnerId=${partnerId}&from=2026-01-01T00:00:00Z`);
    expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(response.headers.get('content-disposition')).toContain('audit.csv');
    const [head, ...lines] = (await response.text()).split('\r\n');
    expect(head).toContain('id,occurredAt,actorType,operator,');
    expect(lines.length).toBe(502);
    expect(lines[500]).toContain(`Operator,'=olga,,,${partnerId},wallet.credit,`);
    expect(lines[500]).toContain('"{""amount"":""10.50""}"');
    expect((await backoffice.send('GET', '/audit/csv?partnerId=acme')).body.state).toBe('VALIDATION_FAILED');
  });

  it('when it is exported, then each entry is a line, in the order of the chain, piece by piece', async () => {
    const pieces = [500, 3];
    const entriesAfter = (after: number, count: number) =>
      Array.from({ length: count }, (_, at) => ({
        actorType: ActorType.OPERATOR,
        operator: 'olga',
        service: 'identity',
        sequence: String(after + at + 1),
        previousHash: '0'.repeat(64),
        hash: 'f'.repeat(64),
      }));
    const identity = backoffice.fakes.of('identity').handlers(AuditServiceService);
    identity.listAuditEntriesInSequence = ({ afterSequence, limit }) => {
      expect(limit).toBe(500);
      return { entries: entriesAfter(Number(afterSequence), pieces.shift() ?? 0) };
    };
    const response = await backoffice.fetch('/audit/export?from=2026-01-01T00:00:00Z');
    expect(response.headers.get('content-type')).toBe('application/x-ndjson');
    const lines = (await response.text()).split('\n');
    expect(lines.pop()).toBe('');
    const entries = lines.map((line) => JSON.parse(line) as { sequence: number });
    expect(entries.map(({ sequence }) => sequence)).toEqual(Array.from({ length: 503 }, (_, at) => at + 1));
    expect(entries[0]).toMatchObject({
      service: 'identity',
      operator: 'olga',
      details: null,
      hash: 'f'.repeat(64),
    });
  });
});
