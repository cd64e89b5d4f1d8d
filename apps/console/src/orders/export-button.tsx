import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Schemas } from '../api/client';
import { ordersQuery } from '../api/queries';
import { refusalOf } from '../api/refusal';
import { csvHead, csvLines } from '../parts/csv';
import type { Column } from '../parts/data-table';
import type { EnvironmentName, OrderSearch } from '../search';
import { useSpeech } from '../words/words';

/** As many as the API returns at once. */
const PAGE_SIZE = 100;

interface Props {
  readonly filters: Omit<OrderSearch, 'page'> & { readonly environment: EnvironmentName };
  readonly columns: readonly Column<Schemas['OrderRow']>[];
}

/** Saves every order that fits the filters as CSV: a page at a time, so that neither the API nor this page stands still. */
export function ExportButton({ filters, columns }: Props) {
  const { words } = useSpeech();
  const queryClient = useQueryClient();
  const [progress, setProgress] = useState('');
  const { mutate, isPending } = useMutation({
    async mutationFn() {
      // Orders that come meanwhile would move the pages.
      const bounded = { ...filters, toDate: filters.toDate ?? new Date().toISOString() };
      const parts: string[] = [csvHead(columns)];
      let rows = 0;
      for (let page = 1, pages = 1; page <= pages; page += 1) {
        const query = { ...bounded, page: String(page), pageSize: String(PAGE_SIZE) };
        const { items, pagination } = await queryClient.fetchQuery({ ...ordersQuery(query), gcTime: 0 });
        parts.push(csvLines(columns, items));
        rows += items.length;
        pages = pagination.totalPages;
        setProgress(words.list.exporting(rows, pagination.totalCount));
      }
      save(new Blob(parts, { type: 'text/csv;charset=utf-8' }), `orders-${filters.environment}.csv`);
      return rows;
    },
    onSuccess: (rows) => notifications.show({ color: 'green', message: words.list.exported(rows) }),
    onError: (error) => notifications.show({ color: 'red', message: refusalOf(error).message }),
    onSettled: () => setProgress(''),
  });
  return (
    <Button
      variant="default"
      size="xs"
      loading={isPending && progress === ''}
      onClick={() => !isPending && mutate()}
    >
      {progress || words.list.export}
    </Button>
  );
}

function save(file: Blob, name: string): void {
  const address = URL.createObjectURL(file);
  const link = Object.assign(document.createElement('a'), { href: address, download: name });
  link.click();
  URL.revokeObjectURL(address);
}
