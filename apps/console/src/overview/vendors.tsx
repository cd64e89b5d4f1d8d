import { Anchor } from '@mantine/core';
import type { Schemas } from '../api/client';
import { DataTable } from '../parts/data-table';
import { LinkTo } from '../parts/link-to';
import { Part } from '../parts/part';
import { NONE } from '../words/formats';
import { useSpeech } from '../words/words';

/** How each vendor does in the chosen time, and how many orders wait for it now; they lead to those that are under way. */
export function Vendors({ vendors }: Pick<Schemas['Overview'], 'vendors'>) {
  const { words, formats } = useSpeech();
  const labels = words.overview;
  const ms = (value: number | null): string => (value === null ? NONE : formats.duration(value));
  return (
    <Part title={labels.vendors}>
      <DataTable
        label={labels.calls}
        columns={[
          { id: 'name', title: labels.vendor, cell: ({ name }) => <bdi>{name}</bdi> },
          { id: 'calls', title: labels.calls, isNumber: true, cell: (row) => formats.number(row.calls) },
          {
            id: 'successRate',
            title: labels.responded,
            isNumber: true,
            cell: ({ successRate }) => (successRate === null ? NONE : formats.share(successRate)),
          },
          {
            id: 'refusals',
            title: words.status.Refused,
            isNumber: true,
            cell: (row) => formats.number(row.refusals),
          },
          { id: 'p50Ms', title: labels.median, isNumber: true, cell: (row) => ms(row.p50Ms) },
          { id: 'p99Ms', title: labels.p99, isNumber: true, cell: (row) => ms(row.p99Ms) },
          {
            id: 'waitingOrders',
            title: labels.waitingForVendor,
            isNumber: true,
            cell: ({ waitingOrders, name }) => (
              <Anchor
                aria-label={`${labels.waitingForVendor}, ${name}: ${formats.number(waitingOrders)}`}
                renderRoot={(props) => <LinkTo {...props} to="/orders" filters={{ status: 'Processing' }} />}
              >
                {formats.number(waitingOrders)}
              </Anchor>
            ),
          },
        ]}
        rows={vendors}
        keyOf={({ name }) => name}
        empty={labels.noVendors}
      />
    </Part>
  );
}
