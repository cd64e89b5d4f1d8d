import { expect } from '@jest/globals';
import { v7 as uuidv7 } from 'uuid';
import type { Message, ServiceContract } from '../contract';
import { list, part, text } from '../message';
import { expectPages } from '../paging';
import { elsewhere, newPartner, type Partner, type World } from '../world';
import { captured, deposit, funded } from './arrange';

const LONG_AGO = new Date('2026-01-01T00:00:00.000Z');
const TOMORROW = new Date(Date.now() + 86_400_000);

/** Just after the wallet's newest line, so that what is posted next falls into the next period. */
async function soon(world: World, { caller }: Partner): Promise<Date> {
  const lines = list(await world.call('WalletService.ListTransactions', {}, caller), 'transactions');
  return new Date(Date.parse(text(lines[0], 'occurred_at')) + 1);
}

/** A partner with 100.00 in, 30.25 out, and a statement of that. */
async function withStatement(world: World) {
  const partner = await funded(world, '100.00');
  await captured(world, partner, '30.25');
  const to = await soon(world, partner);
  const request = { ...partner.ref, period_from_at: LONG_AGO, period_to_at: to };
  const answer = await world.call('StatementOperationsService.CreateStatement', request);
  return { partner, request, to, statement: part(answer, 'statement') };
}

const ofNobody = { statement_id: uuidv7() };

/** Billing statements: making them, and reading them as partners do. */
export const statements: ServiceContract[] = [
  {
    service: 'StatementService',
    speaksFor: 'the partner of the metadata',
    rpcs: {
      ListStatements: {
        promises: {
          'lists the newest number first, page by page': async (world) => {
            const { partner, to, statement } = await withStatement(world);
            await deposit(world, partner, '5.00');
            const second = await world.call('StatementOperationsService.CreateStatement', {
              ...partner.ref,
              period_from_at: to,
              period_to_at: await soon(world, partner),
            });
            expect(
              await expectPages(world, {
                rpc: 'StatementService.ListStatements',
                field: 'statements',
                caller: partner.caller,
              }),
            ).toEqual([second['statement'], statement]);
          },
          'shows nobody another partner’s or environment’s': async (world) => {
            const { partner } = await withStatement(world);
            for (const { caller } of [newPartner(), elsewhere(partner)]) {
              const answer = await world.call('StatementService.ListStatements', {}, caller);
              expect(answer).toMatchObject({ statements: [], page: { total_count: 0, total_pages: 0 } });
            }
          },
        },
      },
      GetStatement: {
        promises: {
          'answers the statement as it was made': async (world) => {
            const { partner, statement } = await withStatement(world);
            const request = { statement_id: statement['id'] };
            expect(await world.call('StatementService.GetStatement', request, partner.caller)).toEqual({
              statement,
            });
          },
        },
        refuses: {
          VALIDATION_FAILED: {
            'an id that is none': (world) =>
              world.call('StatementService.GetStatement', { statement_id: 'one' }, newPartner().caller),
          },
          NOT_FOUND_STATEMENT: {
            'an unknown id': (world) =>
              world.call('StatementService.GetStatement', ofNobody, newPartner().caller),
            'another partner’s': async (world) => {
              const { statement } = await withStatement(world);
              const request = { statement_id: statement['id'] };
              return world.call('StatementService.GetStatement', request, newPartner().caller);
            },
            'the other environment’s': async (world) => {
              const { partner, statement } = await withStatement(world);
              const request = { statement_id: statement['id'] };
              return world.call('StatementService.GetStatement', request, elsewhere(partner).caller);
            },
          },
        },
      },
      ListStatementLines: {
        promises: {
          'answers the lines as the wallet lists them, oldest first; an empty piece is the end': async (
            world,
          ) => {
            const { partner, statement } = await withStatement(world);
            const pieceOf = (piece: number) =>
              world.call(
                'StatementService.ListStatementLines',
                { statement_id: statement['id'], piece },
                partner.caller,
              );
            const ledger = await world.call('WalletService.ListTransactions', {}, partner.caller);
            expect(await pieceOf(0)).toEqual({ lines: list(ledger, 'transactions').reverse() });
            expect(await pieceOf(1)).toEqual({ lines: [] });
          },
        },
        refuses: {
          VALIDATION_FAILED: {
            'an id that is none': (world) =>
              world.call('StatementService.ListStatementLines', { statement_id: 'one' }, newPartner().caller),
          },
          NOT_FOUND_STATEMENT: {
            'an unknown id': (world) =>
              world.call('StatementService.ListStatementLines', ofNobody, newPartner().caller),
            'another partner’s': async (world) => {
              const { statement } = await withStatement(world);
              const request = { statement_id: statement['id'] };
              return world.call('StatementService.ListStatementLines', request, newPartner().caller);
            },
          },
        },
      },
      GetStatementReport: {
        promises: {
          'adds up any period, provisionally, and keeps nothing of it': async (world) => {
            const { partner } = await withStatement(world);
            const request = { period_from_at: LONG_AGO, period_to_at: TOMORROW };
            const answer = await world.call('StatementService.GetStatementReport', request, partner.caller);
            const document = part(answer, 'document');
            expect(document).toMatchObject({
              partner_id: partner.id,
              is_provisional: true,
              currency: 'SAR',
              total_debits: '30.25',
              total_credits: '100.00',
              net_position: '69.75',
            });
            expect(document).not.toHaveProperty('sequence_number');
            expect(document).not.toHaveProperty('statement_number');
            const kept = await world.call('StatementService.ListStatements', {}, partner.caller);
            expect(kept['statements']).toHaveLength(1);
          },
        },
        refuses: {
          VALIDATION_FAILED: {
            'a period that ends when it begins': async (world) =>
              world.call(
                'StatementService.GetStatementReport',
                { period_from_at: LONG_AGO, period_to_at: LONG_AGO },
                (await funded(world, '1.00')).caller,
              ),
          },
          NOT_FOUND_WALLET: {
            'a partner without a wallet': (world) =>
              world.call(
                'StatementService.GetStatementReport',
                { period_from_at: LONG_AGO, period_to_at: TOMORROW },
                newPartner().caller,
              ),
          },
          NOT_FOUND_PARTNER: {
            'a partner that identity does not know': async (world) => {
              const { caller, id } = await funded(world, '1.00');
              world.dependency('identity').fail('getPartner', 'NOT_FOUND_PARTNER', 9, id);
              return world.call(
                'StatementService.GetStatementReport',
                { period_from_at: LONG_AGO, period_to_at: TOMORROW },
                caller,
              );
            },
          },
          SERVICE_UNAVAILABLE: {
            'identity away': async (world) => {
              const { caller, id } = await funded(world, '1.00');
              world.dependency('identity').fail('getPartner', 'SERVICE_UNAVAILABLE', 9, id);
              return world.call(
                'StatementService.GetStatementReport',
                { period_from_at: LONG_AGO, period_to_at: TOMORROW },
                caller,
              );
            },
          },
        },
      },
      ListReportLines: {
        promises: {
          'answers the lines between the positions that the document named, oldest first': async (world) => {
            const { partner } = await withStatement(world);
            const request = { period_from_at: LONG_AGO, period_to_at: TOMORROW };
            const report = await world.call('StatementService.GetStatementReport', request, partner.caller);
            const { after_position, up_to_position } = part(report, 'document');
            const pieceOf = (piece: number) =>
              world.call(
                'StatementService.ListReportLines',
                { after_position, up_to_position, piece },
                partner.caller,
              );
            const ledger = await world.call('WalletService.ListTransactions', {}, partner.caller);
            expect(await pieceOf(0)).toEqual({ lines: list(ledger, 'transactions').reverse() });
            expect(await pieceOf(1)).toEqual({ lines: [] });
          },
        },
        refuses: {
          NOT_FOUND_WALLET: {
            'a partner without a wallet': (world) =>
              world.call('StatementService.ListReportLines', {}, newPartner().caller),
          },
        },
      },
    },
  },
  {
    service: 'StatementOperationsService',
    speaksFor: 'whom the request names',
    rpcs: {
      CreateStatement: {
        promises: {
          'makes the next number of the wallet, over the lines of its period': async (world) => {
            const { partner, statement, to } = await withStatement(world);
            expect(statement).toMatchObject({
              environment: partner.ref.environment,
              document: {
                partner_id: partner.id,
                partner_global_id: text(statement, 'document.partner_global_id'),
                sequence_number: 1,
                statement_number: `ST-${text(statement, 'document.partner_global_id')}-000001`,
                is_provisional: false,
                period_from_at: LONG_AGO.toISOString(),
                period_to_at: to.toISOString(),
                currency: 'SAR',
                total_debits: '30.25',
                total_credits: '100.00',
                net_position: '69.75',
              },
            });
          },
          'of any number of calls at once for one period, one makes it': async (world: World) => {
            const partner = await funded(world, '1.00');
            const request: Message = {
              ...partner.ref,
              period_from_at: LONG_AGO,
              period_to_at: await soon(world, partner),
            };
            const outcomes = await Promise.allSettled(
              Array.from({ length: 5 }, () =>
                world.call('StatementOperationsService.CreateStatement', request),
              ),
            );
            const refused = outcomes.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
            expect(refused.map(({ code }) => code)).toEqual(Array(4).fill('CONFLICT_STATEMENT_PERIOD'));
          },
        },
        refuses: {
          VALIDATION_FAILED: {
            'a period that ends in the future': async (world) =>
              world.call('StatementOperationsService.CreateStatement', {
                ...(await funded(world, '1.00')).ref,
                period_from_at: LONG_AGO,
                period_to_at: TOMORROW,
              }),
            'a period that ends before it begins': async (world) =>
              world.call('StatementOperationsService.CreateStatement', {
                ...(await funded(world, '1.00')).ref,
                period_from_at: LONG_AGO,
                period_to_at: new Date(0),
              }),
          },
          NOT_FOUND_WALLET: {
            'a partner without a wallet': (world) =>
              world.call('StatementOperationsService.CreateStatement', {
                ...newPartner().ref,
                period_from_at: new Date(0),
                period_to_at: LONG_AGO,
              }),
          },
          CONFLICT_STATEMENT_PERIOD: {
            'a repetition': async (world) => {
              const { request } = await withStatement(world);
              return world.call('StatementOperationsService.CreateStatement', request);
            },
            'a gap after the last one': async (world) => {
              const { partner, to } = await withStatement(world);
              await deposit(world, partner, '1.00');
              await deposit(world, partner, '1.00');
              return world.call('StatementOperationsService.CreateStatement', {
                ...partner.ref,
                period_from_at: new Date(to.getTime() + 1),
                period_to_at: await soon(world, partner),
              });
            },
          },
          NOT_FOUND_PARTNER: {
            'a partner that identity does not know': async (world) => {
              const { ref, id } = await funded(world, '1.00');
              world.dependency('identity').fail('getPartner', 'NOT_FOUND_PARTNER', 9, id);
              return world.call('StatementOperationsService.CreateStatement', {
                ...ref,
                period_from_at: new Date(0),
                period_to_at: LONG_AGO,
              });
            },
          },
          SERVICE_UNAVAILABLE: {
            'identity away': async (world) => {
              const { ref, id } = await funded(world, '1.00');
              world.dependency('identity').fail('getPartner', 'SERVICE_UNAVAILABLE', 9, id);
              return world.call('StatementOperationsService.CreateStatement', {
                ...ref,
                period_from_at: new Date(0),
                period_to_at: LONG_AGO,
              });
            },
          },
        },
      },
    },
  },
];
