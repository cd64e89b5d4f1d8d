import type { MetricFamily } from './exposition';

const BEGIN = '<!-- metrics -->';
const END = '<!-- /metrics -->';
const ROW = /^\| `([^`]+)` \| (\w+) \| (.*?) \| (.*?) \| (.*) \|$/;

/** A line of the page's table. */
export interface MetricRow {
  readonly name: string;
  readonly type: string;
  readonly labels: readonly string[];
  readonly services: readonly string[];
  readonly help: string;
}

/** Whether it is one of ours and not of Node's own, which prom-client makes. */
export function isOurs({ name }: Pick<MetricFamily, 'name'>): boolean {
  return !/^(nodejs|process)_/.test(name);
}

/** The rows of the page. */
export function readMetricsPage(page: string): MetricRow[] {
  return page.split('\n').flatMap((line) => {
    const [, name, type = '', labels = '', services = '', help = ''] = ROW.exec(line) ?? [];
    if (!name) return [];
    return [{ name, type, labels: listOf(labels), services: listOf(services), help }];
  });
}

/** The page with its table as the services are; labels that were not seen this time are kept. */
export function writeMetricsPage(page: string, families: ReadonlyMap<string, MetricFamily>): string {
  const known = new Map(readMetricsPage(page).map((row) => [row.name, row]));
  const lines = [...families.values()]
    .filter(isOurs)
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ name, type, help, labels, services }) => {
      const all = [...new Set([...(known.get(name)?.labels ?? []), ...labels.keys()])];
      return `| \`${name}\` | ${type} | ${all.join(', ')} | ${[...services].sort().join(', ')} | ${help} |`;
    });
  const table = ['| metric | type | labels | shown by | says |', '|---|---|---|---|---|', ...lines].join(
    '\n',
  );
  const [before = ''] = page.split(BEGIN);
  const after = page.split(END)[1] ?? '';
  return `${before}${BEGIN}\n\n${table}\n\n${END}${after}`;
}

function listOf(cell: string): string[] {
  return cell.split(', ').filter((one) => one !== '');
}
