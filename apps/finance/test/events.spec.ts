import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  DisplayRateSet,
  Environment,
  WalletAdjusted,
  WalletCredited,
  WalletOpened,
} from '@reseller/contracts';
import { createPostgresEventBus, type DomainEvent, type EventBus } from '@reseller/messaging';
import { eventually, silentLog } from '@reseller/testing';
import {
  codeOf,
  newPartner,
  reserveRequest,
  startFinanceService,
  type FinanceService,
} from './finance-service';

const MESSAGES = { WalletOpened, WalletCredited, WalletAdjusted, DisplayRateSet };
const call = { requestId: 'r', operator: 'olga' };

describe('the events of finance', () => {
  let finance: FinanceService;
  let bus: EventBus;
  const published: DomainEvent[] = [];

  beforeAll(async () => {
    finance = await startFinanceService();
    bus = createPostgresEventBus({ connectionString: finance.bus.url, log: silentLog });
    bus.subscribe({
      group: 'test',
      topics: ['reseller.finance.wallet.v1', 'reseller.finance.rate.v1'],
      handler: async (events) => void published.push(...events),
    });
  });
  afterAll(async () => {
    await bus.close();
    await finance.stop();
  });

  const read = ({ type, payload }: DomainEvent): unknown => {
    const name = type.replace('reseller.finance.v1.', '') as keyof typeof MESSAGES;
    return { [name]: MESSAGES[name].decode(payload) };
  };
  /** What was published of an aggregate when there are so many events of it, and no more. */
  async function publishedOf(aggregateId: string, count: number): Promise<unknown[]> {
    const { rows } = await finance.database.pool.query(
      'SELECT count(*)::int AS count FROM outbox WHERE aggregate_id = $1',
      [aggregateId],
    );
    expect(rows).toEqual([{ count }]);
    const of = (): DomainEvent[] => published.filter((event) => event.aggregateId === aggregateId);
    await eventually(() => expect(of()).toHaveLength(count));
    return of().map(read);
  }

  it('when operators open and fund a wallet, then each movement is published once, and orders’ movements are not', async () => {
    const partner = newPartner(Environment.SANDBOX);
    const opened = await finance.wallets.openWallet(partner.ref, call);
    await finance.wallets.openWallet(partner.ref, call);
    // Longer than a length of one byte, in bytes and not in letters.
    const notes = 'دفعة أولى '.repeat(12);
    const credit = { ...partner.ref, amount: '100.50', notes, idempotencyKey: 'k1' };
    const credited = await finance.wallets.creditWallet(credit, call);
    await finance.wallets.creditWallet(credit, call);
    const adjust = { ...partner.ref, amount: '-0.25', notes: '', idempotencyKey: 'k2' };
    const adjusted = await finance.wallets.adjustWallet(adjust, call);
    const tooMuch = { ...adjust, amount: '-1000.00', idempotencyKey: 'k3' };
    expect(await codeOf(finance.wallets.adjustWallet(tooMuch, call))).toBe('BUSINESS_INSUFFICIENT_BALANCE');
    const reserve = reserveRequest(partner, '10.00');
    await finance.funds.reserveFunds(reserve, partner.call);
    await finance.funds.captureFunds(
      { ...partner.ref, reservationKey: reserve.reservationKey, amount: '10.00', notes: '' },
      partner.call,
    );

    const { rows } = await finance.database.pool.query<{ id: string; opened_at: Date }>(
      'SELECT id, opened_at FROM wallets WHERE partner_id = $1',
      [partner.partnerId],
    );
    const [{ id: walletId, opened_at: openedAt } = { id: '', opened_at: new Date() }] = rows;
    expect(opened.wallet).toBeDefined();
    const wallet = { walletId, ...partner.ref, currency: 'SAR' };
    expect(await publishedOf(walletId, 3)).toEqual([
      { WalletOpened: { ...wallet, openedAt } },
      {
        WalletCredited: {
          ...wallet,
          transactionId: credited.transaction?.transactionId,
          amount: '100.50',
          balanceAfter: '100.50',
          notes,
          occurredAt: credited.transaction?.occurredAt,
        },
      },
      {
        WalletAdjusted: {
          ...wallet,
          transactionId: adjusted.transaction?.transactionId,
          amount: '-0.25',
          balanceAfter: '100.25',
          notes: '',
          occurredAt: adjusted.transaction?.occurredAt,
        },
      },
    ]);
  });

  it('when a display rate is set, also to what it was, then it is published', async () => {
    const first = await finance.rates.setRate({ currency: 'USD', rate: '0.2666' }, call);
    const second = await finance.rates.setRate({ currency: 'USD', rate: '0.2666' }, call);
    expect(await publishedOf('USD', 2)).toEqual([{ DisplayRateSet: first }, { DisplayRateSet: second }]);
    expect(first.rate).toBe('0.266600');
  });
});
