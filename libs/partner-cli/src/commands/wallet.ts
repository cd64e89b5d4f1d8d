import type { Command } from 'commander';
import { performAs } from '../context.ts';
import { listing, mostOf, pageFor, type ListOptions } from '../options.ts';

/** `reseller wallet`: balance, limits and ledger lines. */
export function addWallet(program: Command): void {
  const wallet = program.command('wallet').description('your wallet');
  wallet
    .command('balance', { isDefault: true })
    .description('what is in it, and what of that is available')
    .action((_: object, command: Command) =>
      performAs(command, async ({ client, output }) => output.record(await client.getWalletBalance())),
    );
  wallet
    .command('limits')
    .description('what you may spend today')
    .action((_: object, command: Command) =>
      performAs(command, async ({ client, output }) => {
        const limits = await client.getWalletLimits();
        const { maxOrderAmount, dailySpend, dailyOrdersPerPhone, ...today } = limits;
        const text = (limit: { limit: unknown; setBy: string } | null) =>
          limit && `${limit.limit} (${limit.setBy})`;
        output.record(limits, {
          maxOrderAmount: text(maxOrderAmount),
          dailySpend: text(dailySpend),
          dailyOrdersPerPhone: text(dailyOrdersPerPhone),
          ...today,
        });
      }),
    );
  listing(wallet.command('transactions').description('its ledger lines, newest first')).action(
    (options: ListOptions, command: Command) =>
      performAs(command, ({ client, output }) =>
        output.list(
          client.listWalletTransactions({ pageSize: pageFor(options) }),
          {
            AT: ({ timestamp }) => timestamp,
            TYPE: ({ transactionType }) => transactionType,
            FOR: ({ referenceType }) => referenceType,
            REFERENCE: ({ referenceId }) => referenceId,
            AMOUNT: ({ amount }) => amount,
            BALANCE: ({ balanceAfter }) => balanceAfter,
          },
          mostOf(options),
        ),
      ),
  );
}
