import { expect } from '@jest/globals';
import type { Case, Message } from '../contract';
import { partnerService, rpc, service, type Sentences } from '../notation';
import type { Party } from '../party';
import { byAStranger, notFound, repeated, whileFailing } from '../variations';
import type { World } from '../world';
import { captured, deposit, funded } from './arrange';

const LONG_AGO = new Date('2026-01-01T00:00:00.000Z');
const TOMORROW = new Date(Date.now() + 86_400_000);
const ANY_PERIOD = { period_from_at: LONG_AGO, period_to_at: TOMORROW };

/** Just after the wallet's newest line, so that what is posted next falls into the next period. */
async function soon(partner: Party): Promise<Date> {
  const [newest] = await partner.list('ListTransactions');
  return new Date(Date.parse(String(newest?.occurred_at)) + 1);
}

/** A partner with 100.00 in and 30.25 out, and the period of that. */
async function withPeriod(world: World): Promise<[Party, { period_from_at: Date; period_to_at: Date }]> {
  const partner = await funded(world, '100.00');
  await captured(partner, '30.25');
  return [partner, { period_from_at: LONG_AGO, period_to_at: await soon(partner) }];
}

async function withStatement(world: World): Promise<[Party, Message]> {
  const [partner, period] = await withPeriod(world);
  return [partner, await partner.get('CreateStatement', period)];
}

const ofStatement = async (world: World): Promise<[Party, Message]> => {
  const [partner, { id }] = await withStatement(world);
  return [partner, { statement_id: id }];
};

const ofStatements = (): Sentences => {
  const { ['NOT_FOUND_STATEMENT: an id that is none']: noId, ...others } = notFound(
    'NOT_FOUND_STATEMENT',
    'statement_id',
  );
  return { ...others, 'VALIDATION_FAILED: an id that is none': noId as Message };
};

/** The ledger's lines, oldest first, are the first piece, and the next is empty. */
const hasLinesInPieces: Case = async (use) => {
  const { who, call } = await use.given();
  expect(await call({ piece: 0 })).toEqual({ lines: (await who.list('ListTransactions')).reverse() });
  expect(await call({ piece: 1 })).toEqual({ lines: [] });
};

const identityFailures: Sentences = {
  'NOT_FOUND_WALLET: a partner without a wallet': byAStranger,
  'NOT_FOUND_PARTNER: a partner that identity does not know': whileFailing(
    'identity',
    'getPartner',
    'NOT_FOUND_PARTNER',
  ),
  'SERVICE_UNAVAILABLE: identity away': whileFailing('identity', 'getPartner'),
};

const figures = { currency: 'SAR', total_debits: '30.25', total_credits: '100.00', net_position: '69.75' };

/** Billing statements: making them, and reading them as partners do. */
export const statements = [
  partnerService('StatementService', {
    ListStatements: rpc(undefined, {
      'lists the newest number first, page by page': async (use) => {
        const [partner, first] = await withStatement(use);
        const period_from_at = (first.document as Message).period_to_at;
        await deposit(partner, '5.00');
        const period = {
          period_from_at: new Date(String(period_from_at)),
          period_to_at: await soon(partner),
        };
        const second = await partner.get('CreateStatement', period);
        expect(await partner.pages('ListStatements')).toEqual([second, first]);
      },
      'shows nobody another partner’s or environment’s': async (use) => {
        const [partner] = await withStatement(use);
        for (const other of [use.partner(), partner.elsewhere()])
          expect(await other.call('ListStatements')).toMatchObject({
            statements: [],
            page: { total_count: 0, total_pages: 0 },
          });
      },
    }),
    GetStatement: rpc(ofStatement, {
      'answers the statement as it was made': async (use) => {
        const [partner, statement] = await withStatement(use);
        expect(await partner.get('GetStatement', { statement_id: statement.id })).toEqual(statement);
      },
      ...ofStatements(),
    }),
    ListStatementLines: rpc(ofStatement, {
      'answers the lines as the wallet lists them, oldest first; an empty piece is the end': hasLinesInPieces,
      ...ofStatements(),
    }),
    GetStatementReport: rpc(async (world) => [await funded(world), ANY_PERIOD], {
      'adds up any period, provisionally, and keeps nothing of it': async (use) => {
        const [partner] = await withStatement(use);
        const document = await partner.get('GetStatementReport', ANY_PERIOD);
        expect(document).toMatchObject({ partner_id: partner.id, is_provisional: true, ...figures });
        for (const field of ['sequence_number', 'statement_number'])
          expect(document).not.toHaveProperty(field);
        expect(await partner.list('ListStatements')).toHaveLength(1);
      },
      'VALIDATION_FAILED: a period that ends when it begins': { period_to_at: LONG_AGO },
      ...identityFailures,
    }),
    ListReportLines: rpc(
      async (world) => {
        const [partner] = await withStatement(world);
        const { after_position, up_to_position } = await partner.get('GetStatementReport', ANY_PERIOD);
        return [partner, { after_position, up_to_position }];
      },
      {
        'answers the lines between the positions that the document named, oldest first': hasLinesInPieces,
        'NOT_FOUND_WALLET: a partner without a wallet': byAStranger,
      },
    ),
  }),
  service('StatementOperationsService', {
    CreateStatement: rpc(withPeriod, {
      'makes the next number of the wallet, over the lines of its period': async (use) => {
        const [partner, period] = await withPeriod(use);
        const { environment, document } = await partner.get('CreateStatement', period);
        const { partner_global_id } = document as Message;
        expect([environment, document]).toMatchObject([
          partner.ref.environment,
          {
            partner_id: partner.id,
            sequence_number: 1,
            statement_number: `ST-${String(partner_global_id)}-000001`,
            is_provisional: false,
            period_from_at: LONG_AGO.toISOString(),
            period_to_at: period.period_to_at.toISOString(),
            ...figures,
          },
        ]);
      },
      'of any number of calls at once for one period, one makes it': async (use) => {
        const { call } = await use.given();
        const outcomes = await Promise.allSettled([1, 2, 3, 4, 5].map(() => call()));
        const refused = outcomes.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
        expect(refused.map(({ code }) => code)).toEqual(Array(4).fill('CONFLICT_STATEMENT_PERIOD'));
      },
      'VALIDATION_FAILED: a period that ends in the future': { period_to_at: TOMORROW },
      'VALIDATION_FAILED: a period that ends before it begins': { period_to_at: new Date(0) },
      'CONFLICT_STATEMENT_PERIOD: a repetition': repeated(),
      'CONFLICT_STATEMENT_PERIOD: a gap after the last one': async (use) => {
        const { who, request, call } = await use.given();
        await call();
        for (const _ of [1, 2]) await deposit(who as Party, '1.00');
        const after = new Date((request.period_to_at as Date).getTime() + 1);
        return call({ period_from_at: after, period_to_at: await soon(who as Party) });
      },
      ...identityFailures,
    }),
  }),
];
