import {
  expect,
  lists,
  operatorRpc,
  partnerService,
  passesOn,
  reads,
  rpc,
  service,
  settled,
} from '../prelude';
import type { Case, Message, Party, World } from '../prelude';
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
  const partner = await funded(world);
  await captured(partner, '30.25');
  return [partner, { period_from_at: LONG_AGO, period_to_at: await soon(partner) }];
}

async function withStatement(world: World) {
  const [partner, period] = await withPeriod(world);
  const statement = await partner.get('CreateStatement', period);
  return { partner, statement, request: { statement_id: statement.id } };
}

/** The ledger's lines, oldest first, are the first piece, and the next is empty. */
const hasLinesInPieces: Case = async (_, { who, call }) => {
  expect(await call({ piece: 0 })).toEqual({ lines: (await who.list('ListTransactions')).reverse() });
  expect(await call({ piece: 1 })).toEqual({ lines: [] });
};

const CODES = ['NOT_FOUND_PARTNER', 'SERVICE_UNAVAILABLE'] as const;
const identityFails = passesOn('identity', 'getPartner', CODES, 'what identity refuses so');

const ofReport = async (world: World) => {
  const { partner } = await withStatement(world);
  return { partner, request: await partner.get('GetStatementReport', ANY_PERIOD) };
};

/** Billing statements: making them, and reading them as partners do. */
export const statements = [
  partnerService('StatementService', {
    ListStatements: lists(async (world) => {
      const [partner, period] = await withPeriod(world);
      const first = await partner.get('CreateStatement', period);
      await deposit(partner, '5.00');
      const next = { period_from_at: period.period_to_at, period_to_at: await soon(partner) };
      return [partner, [first, await partner.get('CreateStatement', next)]];
    }),
    GetStatement: reads(async (world) => {
      const { partner, statement } = await withStatement(world);
      return [partner, statement];
    }),
    ListStatementLines: rpc(withStatement, {
      'returns the lines as the wallet lists them, oldest first; an empty piece is the end': hasLinesInPieces,
    }),
    CreateSandboxStatement: rpc(withPeriod, {
      'makes the next number of the partner’s own wallet': async (_, { partner, call }) => {
        const { statement } = await call();
        expect(await partner.list('ListStatements')).toEqual([statement]);
      },
      ...identityFails,
    }),
    GetStatementReport: rpc(async (world) => [await funded(world), ANY_PERIOD], {
      'adds up any period, provisionally, and keeps nothing of it': async (use) => {
        const { partner } = await withStatement(use);
        const document = await partner.get(use.rpc, ANY_PERIOD);
        expect(await partner.list('ListStatements')).toHaveLength(1);
        return document;
      },
      ...identityFails,
    }),
    ListReportLines: rpc(ofReport, {
      'returns the lines between the positions that the document named, oldest first': hasLinesInPieces,
    }),
  }),
  service('StatementOperationsService', {
    CreateStatement: operatorRpc(withPeriod, {
      'makes the next number of the wallet, over the lines of its period': async (_, { request, call }) => {
        const statement = (await call()).statement as Message;
        const { period_to_at } = statement.document as Message;
        expect(period_to_at).toBe((request.period_to_at as Date).toISOString());
        return statement;
      },
      'of any number of calls at once for one period, one makes it': async (_, { call }) => {
        const { refusals } = await settled([1, 2, 3, 4, 5].map(() => call()));
        expect(refusals.map(({ code }) => code)).toEqual(Array(4).fill('CONFLICT_STATEMENT_PERIOD'));
      },
      'CONFLICT_STATEMENT_PERIOD: a gap after the last one': async (_, { partner, request, call }) => {
        await call();
        for (const _ of [1, 2]) await deposit(partner, '1.00');
        const after = new Date((request.period_to_at as Date).getTime() + 1);
        return call({ period_from_at: after, period_to_at: await soon(partner) });
      },
      ...identityFails,
    }),
  }),
];
