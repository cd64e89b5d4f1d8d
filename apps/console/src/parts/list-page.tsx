import { Button, Group, Pagination, Paper, Stack, Text, Title } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useDeferredValue, type ReactNode } from 'react';
import type { Schemas } from '../api/client';
import { useSpeech } from '../words/words';
import { ColumnsMenu, DataTable, useColumns, type Column } from './data-table';
import { Failure } from './failure';

interface ListPageProps<T> {
  readonly title: string;
  /** Of the title; 1 where the list is the page. */
  readonly level?: 1 | 2;
  /** Under which this browser keeps what is chosen for the list. */
  readonly name: string;
  readonly columns: readonly Column<T>[];
  readonly query: UseQueryResult<{ items: T[]; pagination: Schemas['Pagination'] }>;
  readonly keyOf: (row: T) => string;
  readonly page: number | undefined;
  readonly filters?: ReactNode;
  readonly isFiltered?: boolean;
  /** Beside the choice of columns. */
  readonly actions?: ReactNode;
}

/** A list of the API: filters and page in the address bar, columns as chosen, its three other states. */
export function ListPage<T extends object>(props: ListPageProps<T>) {
  const { title, level = 1, name, columns, query, keyOf, page = 1, filters, isFiltered, actions } = props;
  const { words, formats } = useSpeech();
  const chosen = useColumns(name, columns);
  const navigate = useNavigate();
  const { data, error, refetch } = query;
  // A list that opens does not hold the page up: what is below the title, and the first rows, are drawn in slices.
  const isDrawn = useDeferredValue(true, false);
  const hasRows = useDeferredValue(data !== undefined, false);
  const open = (next: number): void =>
    void navigate({
      to: '.',
      search: ((kept: object) => ({ ...kept, page: next > 1 ? next : undefined })) as never,
    });
  return (
    <Stack>
      <Group justify="space-between">
        <Group gap="sm" align="baseline">
          <Title order={level}>{title}</Title>
          {data && (
            <Text c="dimmed" size="sm" role="status">
              {words.list.count(formats.number(data.pagination.totalCount))}
            </Text>
          )}
        </Group>
        <Group gap="xs">
          {actions}
          <ColumnsMenu columns={columns} {...chosen} />
        </Group>
      </Group>
      {isDrawn && filters}
      {error && <Failure error={error} retry={() => void refetch()} />}
      {isDrawn && (data || !error) && (
        <Paper withBorder>
          <DataTable
            label={title}
            columns={columns}
            rows={hasRows ? data?.items : undefined}
            keyOf={keyOf}
            visibility={chosen.visibility}
            empty={isFiltered ? words.list.noneFiltered : words.list.none}
          />
        </Paper>
      )}
      {data && data.pagination.totalPages > 1 && (
        <Group justify="center">
          <Pagination
            total={data.pagination.totalPages}
            value={page}
            onChange={open}
            getControlProps={(control) => ({ 'aria-label': control })}
            getItemProps={(number) => ({
              'aria-label': words.list.page(
                formats.number(number),
                formats.number(data.pagination.totalPages),
              ),
            })}
          />
        </Group>
      )}
    </Stack>
  );
}

/** Empties all filters of a list at once. */
export function ClearFilters({ names }: { readonly names: readonly string[] }) {
  const { words } = useSpeech();
  const navigate = useNavigate();
  const none = Object.fromEntries([...names, 'page'].map((name) => [name, undefined]));
  return (
    <Button
      variant="subtle"
      size="xs"
      onClick={() => void navigate({ to: '.', search: ((kept: object) => ({ ...kept, ...none })) as never })}
    >
      {words.list.clear}
    </Button>
  );
}
