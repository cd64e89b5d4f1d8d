import { Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import type { Schemas } from '../api/client';
import { readQuery } from '../api/queries';
import { refusalOf } from '../api/refusal';
import { ExportLink } from '../parts/export-link';
import { Failure } from '../parts/failure';
import { MomentFilter, SelectFilter } from '../parts/filter-fields';
import { Filters } from '../parts/filters';
import { ListPage } from '../parts/list-page';
import { Facts, Part } from '../parts/part';
import { useEnvironment } from '../parts/use-environment';
import { useSpeech } from '../words/words';
import { BalanceChart } from './balance-chart';
import { MoveMoney } from './move-money';
import { NoWallet } from './no-wallet';
import { transactionColumns } from './transaction-columns';

type Partner = Schemas['Partner'];

/** What a partner has in the environment that is looked at, and how it came to it. */
export function WalletTab({ partner }: { readonly partner: Partner }) {
  const { words, formats } = useSpeech();
  const environment = useEnvironment();
  const { data, error } = useQuery({
    ...readQuery('/ops/v1/partners/{id}/wallet', { environment }, { id: partner.id }),
    // Each reading is audited.
    refetchInterval: false,
  });
  if (error && refusalOf(error).code === 'NOT_FOUND_WALLET') return <NoWallet partner={partner} />;
  if (error) return <Failure error={error} />;
  return (
    <Stack>
      <Part
        title={words.partners.tabs.wallet}
        actions={(['credit', 'adjust'] as const).map((kind) => (
          <MoveMoney key={kind} partner={partner} kind={kind} />
        ))}
      >
        {data && (
          <Facts
            facts={[
              [words.wallet.current, formats.money(data.currentBalance)],
              [words.wallet.available, formats.money(data.availableBalance)],
              [words.wallet.held, formats.money(data.currentBalance - data.availableBalance)],
            ]}
          />
        )}
      </Part>
      <Transactions partner={partner} />
    </Stack>
  );
}

const FILTERS = ['transactionType', 'fromDate', 'toDate'] as const;

function Transactions({ partner: { id } }: { readonly partner: Partner }) {
  const speech = useSpeech();
  const { words } = speech;
  const environment = useEnvironment();
  const { page, transactionType, fromDate, toDate } = useSearch({ from: '/partners/$partnerId' });
  const wanted = {
    ...{ environment, page: page ?? 1, pageSize: 50 },
    ...(transactionType && { transactionType: transactionType as 'Debit' | 'Credit' }),
    ...(fromDate && { fromDate }),
    ...(toDate && { toDate }),
  };
  const query = useQuery({
    ...readQuery('/ops/v1/partners/{id}/wallet/transactions', wanted, { id }),
    refetchInterval: false,
  });
  return (
    <>
      {query.data && <BalanceChart lines={query.data.items} />}
      <ListPage
        title={words.wallet.lines}
        level={2}
        name="wallet-transactions"
        columns={transactionColumns(speech)}
        query={query}
        keyOf={({ transactionId }) => String(transactionId)}
        page={page}
        isFiltered={Boolean(transactionType ?? fromDate ?? toDate)}
        actions={
          <ExportLink
            href={`/ops/v1/partners/${id}/wallet/transactions/export`}
            filters={{ environment, transactionType, fromDate, toDate }}
            fileName={`ledger-${environment}.csv`}
          />
        }
        filters={
          <Filters names={FILTERS}>
            <SelectFilter
              name="transactionType"
              label={words.wallet.type}
              value={transactionType}
              options={[
                ['Debit', words.wallet.debit],
                ['Credit', words.wallet.credited],
              ]}
            />
            <MomentFilter name="fromDate" label={words.orders.from} value={fromDate} />
            <MomentFilter name="toDate" label={words.orders.to} value={toDate} />
          </Filters>
        }
      />
    </>
  );
}
