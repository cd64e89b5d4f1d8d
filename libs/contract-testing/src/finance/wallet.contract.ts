import {
  expect,
  isRepeatable,
  lists,
  operatorNamed,
  operatorRpc,
  partnerService,
  refusalOf,
} from '../prelude';
import { rpc, service, UNKNOWN, uuidv7 } from '../prelude';
import type { Message, Party, Sentences, World } from '../prelude';
import { awaitsVersion } from '../common/partner-version';
import { captured, deposit, funded, moved, ofOrder, withDisplayRate } from './arrange';

const funding = async (world: World) =>
  [await funded(world, '0.00'), { amount: '5.00', notes: 'cash', idempotency_key: uuidv7() }] as const;

/** Both ways to fund share their rules and their key space. */
const anyFunding = (other: 'CreditWallet' | 'AdjustWallet'): Sentences => ({
  'repeated under its key, it returns the first line and posts nothing': isRepeatable('GetBalance'),
  'CONFLICT_IDEMPOTENCY_KEY_REUSED: the key with another amount': [{}, { amount: '2.00' }],
  'CONFLICT_IDEMPOTENCY_KEY_REUSED: the key with other notes': [{}, { notes: 'another' }],
  'CONFLICT_IDEMPOTENCY_KEY_REUSED: a key that the other way of funding used': [other, {}],
  'VALIDATION_FAILED: one that takes the balance to ten million million': [
    {},
    { amount: '9999999999995.00', idempotency_key: 'too much' },
  ],
  'CONFLICT_APPROVAL_REQUIRED: in live more than one operator may move; its request again, by anybody, is the same approval':
    async (use) => {
      const partner = await funded(use, '0.00', use.partner('live'));
      const request = { ...partner.ref, amount: '1000000.01', notes: 'large', idempotency_key: 'large' };
      const as = (name: string) => refusalOf(use.send(use.rpc, request, operatorNamed(name)));
      const [first, again] = [await as('Olga'), await as('Omar')];
      expect(first.details).toEqual(again.details);
      expect(await partner.call('GetBalance')).toMatchObject({ current_balance: '0.00' });
      throw first;
    },
});

/** A credit and a debit, without their decisions, which partners do not see. */
const twoLines = async (world: World) => {
  const partner = await funded(world, '0.00');
  const debit = { amount: '-0.50', notes: '', idempotency_key: uuidv7() };
  const lines = [await deposit(partner, '2.00'), await partner.get('AdjustWallet', debit)];
  return [partner, lines.map(({ decided_by: _, ...line }) => line)] as const;
};

const playMoney = async (world: World) =>
  [await funded(world, '0.00'), { amount: '100000.00', external_reference: 'play-money' }] as const;

/** Wallets as partners read them and operators fund them. */
export const wallets = [
  partnerService('WalletService', {
    GetBalance: rpc(ofOrder('30.00'), {
      'returns what is posted, and what of it no order has set aside': ['ReserveFunds', {}],
      'returns the rate of the partner’s display currency': async (use) =>
        (await withDisplayRate(use, 'JPY', '40.1')).call('GetBalance'),
    }),
    CreditSandboxWallet: rpc(playMoney, {
      'adds play money once for its reference, and posts nothing when it is repeated':
        isRepeatable('GetBalance'),
      'is a Deposit with the reference as its notes, follows from no operator’s decision, and leaves their keys alone':
        [
          ['CreditWallet', { amount: '2.00', notes: '', idempotency_key: 'play-money' }],
          {},
          'ListWalletTransactions',
        ],
      'CONFLICT_DUPLICATE_EXTERNAL_REFERENCE: the reference with another amount': [{}, { amount: '2.00' }],
      'VALIDATION_FAILED: more than 100,000': { amount: '100000.01' },
    }),
    ListTransactions: lists(twoLines, {
      'has ids that ascend with time': async (_, { who, call }) => {
        for (const amount of ['3.00', '4.00']) await deposit(who as Party, amount);
        const ids = ((await call()).transactions as Message[]).map((one) =>
          BigInt(String(one.transaction_id)),
        );
        expect(ids).toEqual([...ids].sort((a, b) => (a > b ? -1 : 1)));
      },
    }),
    GetOrderMoney: rpc(ofOrder('30.00'), {
      'shows what is held while it is': ['ReserveFunds', {}],
      'shows a hold that was given free': ['ReserveFunds', 'ReleaseFunds', {}],
      'shows the hold and every line of the order, oldest first': [
        'ReserveFunds',
        'CaptureFunds',
        ['RefundFunds', { amount: '10.00' }],
        {},
      ],
      'shows nothing to another partner, and to one without a wallet': async (use) => {
        const order = await captured(await funded(use), '4.00');
        for (const other of [await funded(use), use.partner()])
          expect(await other.call(use.rpc, order)).toEqual({ hold: null, transactions: [] });
      },
    }),
  }),
  service('WalletService', {
    OpenWallet: operatorRpc((world) => [world.partner('live')], {
      'opens a wallet in SAR with nothing in it': {},
    }),
    CreditWallet: operatorRpc(funding, {
      ...anyFunding('AdjustWallet'),
      'adds money as one Deposit': { amount: '12.5' },
      'keeps the operator and the request; repeated by another, the first one’s': async (use, given) => {
        const { partner, request, call } = given;
        const first = await call();
        const another = { ...operatorNamed('Oscar'), 'x-request-id': 'later' };
        expect(await use.call(use.rpc, { ...request, ...partner.ref }, another)).toEqual(first);
        return first;
      },
    }),
    AdjustWallet: operatorRpc(funding, {
      ...anyFunding('CreditWallet'),
      'takes money for a negative amount, and shows it positive, as a Debit': [
        ['CreditWallet', { amount: '10.00' }],
        { amount: '-2.25', idempotency_key: 'debit' },
      ],
      'BUSINESS_INSUFFICIENT_BALANCE: more than is available, though it is there': async (_, given) => {
        await deposit(given.partner, '10.00');
        await moved(given.partner, '5.00', 'ReserveFunds');
        return given.call({ amount: '-5.01' });
      },
    }),
    GetWallet: rpc(ofOrder('30.00'), {
      'shows the wallet as it was opened, with its balance now': async (use, { partner }) => {
        const opened = await partner.get('OpenWallet');
        await moved(partner, '5.00', 'ReserveFunds');
        expect(await partner.get(use.rpc)).toEqual({ ...opened, available_balance: '95.00' });
      },
    }),
    ListWalletTransactions: lists(twoLines, {
      'has each line with its decision, and else as the partner sees it': async (use, { partner }) => {
        await captured(partner, '1.00');
        const lines = await partner.list(use.rpc);
        const partners = await partner.list('ListTransactions');
        expect(partners).toEqual(lines.map(({ decided_by: _, ...line }) => line));
        return lines;
      },
    }),
    ListTransactionsByReference: rpc((world) => [world], {
      'lists the lines that name an order or a deposit, oldest first': async (use) => {
        const partner = await funded(use, '10.00');
        const credited = await deposit(partner, '1.00');
        const { reference_id } = credited;
        expect(await use.list(use.rpc, { reference_id })).toEqual([credited]);
        return use.list(use.rpc, await captured(partner, '4.00'));
      },
      'lists nothing for a reference nobody used': { reference_id: UNKNOWN },
    }),
  }),
  service('RateService', {
    SetRate: operatorRpc((world) => [world, { currency: 'EUR', rate: '0.25' }], {
      'sets the rate that is in force from then on, with six decimals; safe to repeat': [{}, {}, 'GetRate'],
      'returns when it was set': async (_, { call }) =>
        expect(Date.parse(String((await call()).updated_at))).toBeGreaterThan(Date.now() - 60_000),
      'VALIDATION_FAILED: the wallet’s own currency': { currency: 'SAR', rate: '1' },
    }),
    ListRates: lists(async (world) => {
      const rates = [
        { currency: 'AED', rate: '0.98' },
        { currency: 'ZAR', rate: '4.8' },
      ];
      return [world, await Promise.all(rates.map((one) => world.call('SetRate', one)))];
    }),
    GetRate: rpc((world) => [world, { currency: 'GBP', rate: '0.2' }], {
      'returns the rate in force': ['SetRate', {}],
      'returns none for a currency without one': { currency: 'CHF' },
    }),
    AwaitPartnerVersion: awaitsVersion,
  }),
];
