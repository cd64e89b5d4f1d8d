import type { MetricFamily } from './exposition';

const BEGIN = '<!-- metrics -->';
const END = '<!-- /metrics -->';
const ROW = /^\| `([^`]+)` \| (\w+) \| (.*?) \| (.*?) \| (.*) \|$/;

/** Shown by an orders-saga that takes callbacks, with TLS between services, or once a call was lost. */
const SOMETIMES = new Set([
  'vendor_callbacks_total',
  'rpc_certificate_expires_timestamp_seconds',
  'rpc_client_retries_total',
]);

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

/** The page with its table as the services are; labels, and the few metrics, that are not seen each time are kept. */
export function writeMetricsPage(page: string, families: ReadonlyMap<string, MetricFamily>): string {
  const known = new Map(readMetricsPage(page).map((row) => [row.name, row]));
  const described = [...families.values()]
    .filter((family) => isOurs(family) && !SOMETIMES.has(family.name))
    .map(({ name, type, help, labels, services }) => ({
      name,
      type,
      help,
      labels: [...new Set([...(known.get(name)?.labels ?? []), ...labels.keys()])],
      services: [...services].sort(),
    }));
  const kept = [...known.values()].filter(({ name }) => SOMETIMES.has(name));
  const lines = [...described, ...kept]
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map(
      ({ name, type, labels, services, help }) =>
        `| \`${name}\` | ${type} | ${labels.join(', ')} | ${services.join(', ')} | ${help} |`,
    );
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
