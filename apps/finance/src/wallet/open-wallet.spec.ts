import { expect, it } from '@jest/globals';
import { LEDGER_START } from './domain/entry-range';
import { openWallet } from './open-wallet';
import type { WalletRepository } from './wallet.repository';

it('when a wallet was opened and nothing can be read any more, then it is returned all the same (spec §3.3)', async () => {
  const ref = { partnerId: 'p', environment: 'live' } as const;
  const opened = { ...ref, id: 'w', currency: 'SAR', openedAt: new Date(), end: LEDGER_START };
  const away = () => Promise.reject(new Error('the database is away'));
  const wallets = { openOnce: () => Promise.resolve(opened), find: away } as unknown as WalletRepository;
  expect(await openWallet({ wallets, balances: { read: away } }, ref)).toEqual({
    wallet: opened,
    balance: { currency: 'SAR', posted: '0.00', available: '0.00', displayRate: undefined },
  });
});
