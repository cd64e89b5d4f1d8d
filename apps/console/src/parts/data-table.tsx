import { Button, Checkbox, Menu, Skeleton, Table, Text, VisuallyHidden } from '@mantine/core';
import {
  columnVisibilityFeature,
  createColumnHelper,
  tableFeatures,
  useTable,
  type ColumnVisibilityState,
} from '@tanstack/react-table';
import { useState, type ReactNode } from 'react';
import { useSpeech } from '../words/words';
import { SortHead, type Sort } from './sort-head';

/** One column of a list. */
export interface Column<T> {
  readonly id: string;
  readonly title: string;
  /** What a cell shows. */
  readonly cell: (row: T) => ReactNode;
  /** Amounts and counts stand at the end of their cell. */
  readonly isNumber?: boolean;
  /** In place of the title. */
  readonly head?: ReactNode;
  /** How the list is sorted by it; only what an index serves can be. */
  readonly sort?: Sort;
  /** Not shown until it is chosen. */
  readonly isExtra?: boolean;
}

const features = tableFeatures({ columnVisibilityFeature });

/** Which columns of a list are shown, kept in this browser. */
export function useColumns<T>(list: string, columns: readonly Column<T>[]) {
  const keptAs = `console.columns.${list}`;
  const [visibility, setVisibility] = useState<ColumnVisibilityState>(() => ({
    ...Object.fromEntries(columns.filter(({ isExtra }) => isExtra).map(({ id }) => [id, false])),
    ...(JSON.parse(localStorage.getItem(keptAs) ?? '{}') as ColumnVisibilityState),
  }));
  const toggle = (id: string): void => {
    const next = { ...visibility, [id]: visibility[id] === false };
    localStorage.setItem(keptAs, JSON.stringify(next));
    setVisibility(next);
  };
  return { visibility, toggle };
}

/** Chooses columns. */
export function ColumnsMenu<T>({
  columns,
  visibility,
  toggle,
}: { readonly columns: readonly Column<T>[] } & ReturnType<typeof useColumns<T>>) {
  const { words } = useSpeech();
  return (
    <Menu closeOnItemClick={false} position="bottom-end">
      <Menu.Target>
        <Button variant="default" size="xs">
          {words.list.columns}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {columns
          .filter(({ title }) => title !== '')
          .map(({ id, title }) => (
            <Menu.Item
              key={id}
              role="menuitemcheckbox"
              aria-checked={visibility[id] !== false}
              leftSection={
                <Checkbox size="xs" checked={visibility[id] !== false} readOnly tabIndex={-1} aria-hidden />
              }
              onClick={() => toggle(id)}
            >
              {title}
            </Menu.Item>
          ))}
      </Menu.Dropdown>
    </Menu>
  );
}

interface Props<T> {
  readonly label: string;
  readonly columns: readonly Column<T>[];
  /** Absent while the first page comes. */
  readonly rows: readonly T[] | undefined;
  readonly keyOf: (row: T) => string;
  readonly visibility?: ColumnVisibilityState;
  readonly empty: string;
}

/** Rows under their titles; wide ones scroll within their own box. */
export function DataTable<T extends object>({
  label,
  columns,
  rows,
  keyOf,
  visibility = {},
  empty,
}: Props<T>) {
  const helper = createColumnHelper<typeof features, T>();
  const table = useTable({
    features,
    columns: helper.columns(columns.map(({ id }) => helper.display({ id }))),
    data: (rows ?? []) as T[],
    getRowId: keyOf,
    state: { columnVisibility: visibility },
  });
  const columnOf = (id: string) => columns.find((column) => column.id === id);
  const headOf = (id: string): ReactNode => {
    const column = columnOf(id);
    return column && <Head title={column.title} head={column.head} sort={column.sort} />;
  };
  const isNumber = (id: string): boolean => columnOf(id)?.isNumber ?? false;
  const sortOf = (id: string) => {
    const sort = columnOf(id)?.sort;
    return sort && { 'aria-sort': sort === 'oldest' ? ('ascending' as const) : ('descending' as const) };
  };
  const shown = table.getVisibleLeafColumns().length;
  return (
    <div className="table-scroll" tabIndex={0} role="region" aria-label={label}>
      <Table highlightOnHover verticalSpacing="xs" aria-busy={!rows}>
        <Table.Thead>
          {table.getHeaderGroups().map((group) => (
            <Table.Tr key={group.id}>
              {group.headers.map((header) => (
                <Table.Th
                  key={header.id}
                  scope="col"
                  {...sortOf(header.column.id)}
                  className={isNumber(header.column.id) ? 'number' : ''}
                >
                  {headOf(header.column.id)}
                </Table.Th>
              ))}
            </Table.Tr>
          ))}
        </Table.Thead>
        <Table.Tbody>
          {table.getRowModel().rows.map((row) => (
            <Table.Tr key={row.id}>
              {row.getVisibleCells().map((cell) => (
                <Table.Td key={cell.id} className={isNumber(cell.column.id) ? 'number' : ''}>
                  {/* Not as a component of its own, which would be another at each rendering: a dialog of the row stays open. */}
                  {columnOf(cell.column.id)?.cell(row.original)}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
          {!rows && <LoadingRows columns={shown} />}
          {rows?.length === 0 && (
            <Table.Tr>
              <Table.Td colSpan={shown}>
                <Text c="dimmed" ta="center" py="xl">
                  {empty}
                </Text>
              </Table.Td>
            </Table.Tr>
          )}
        </Table.Tbody>
      </Table>
    </div>
  );
}

/** What stands over a column; one of buttons has a name for those who hear it. */
function Head({ title, head, sort }: Pick<Column<object>, 'title' | 'head' | 'sort'>) {
  const { words } = useSpeech();
  if (sort) return <SortHead title={title} sort={sort} />;
  return head ?? (title || <VisuallyHidden>{words.list.actions}</VisuallyHidden>);
}

const LoadingRows = ({ columns }: { readonly columns: number }) =>
  Array.from({ length: 5 }, (_, index) => (
    <Table.Tr key={index}>
      <Table.Td colSpan={columns}>
        <Skeleton height={18} />
      </Table.Td>
    </Table.Tr>
  ));
