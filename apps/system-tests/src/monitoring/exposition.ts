/** A metric as the services show it. */
export interface MetricFamily {
  readonly name: string;
  readonly type: string;
  readonly help: string;
  /** The services that show it. */
  readonly services: Set<string>;
  /** The labels seen with the values they had, but for `service` and the buckets' own. */
  readonly labels: Map<string, Set<string>>;
}

/** Whether it is one of ours and not of Node's own, which prom-client makes. */
export function isOurs({ name }: Pick<MetricFamily, 'name'>): boolean {
  return !/^(nodejs|process)_/.test(name);
}

const SAMPLE = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? \S+$/;
const LABEL = /(\w+)="((?:[^"\\]|\\.)*)"/g;
const OURS_TO_SKIP = new Set(['service', 'le', 'quantile']);

/** Adds what a service's /metrics says to what others said. */
export function readExposition(
  service: string,
  text: string,
  families: Map<string, MetricFamily>,
): Map<string, MetricFamily> {
  const helps = new Map<string, string>();
  for (const line of text.split('\n')) {
    const [, kind, name = '', rest = ''] = /^# (HELP|TYPE) (\S+) (.*)$/.exec(line) ?? [];
    if (kind === 'HELP') helps.set(name, rest);
    else if (kind === 'TYPE') familyOf(families, name, rest, helps.get(name) ?? '').services.add(service);
    else readSample(families, line);
  }
  return families;
}

function familyOf(
  families: Map<string, MetricFamily>,
  name: string,
  type: string,
  help: string,
): MetricFamily {
  let family = families.get(name);
  if (!family) families.set(name, (family = { name, type, help, services: new Set(), labels: new Map() }));
  return family;
}

function readSample(families: Map<string, MetricFamily>, line: string): void {
  const [, name = '', labels = ''] = SAMPLE.exec(line) ?? [];
  const family = families.get(name) ?? families.get(baseName(name));
  if (!family) return;
  for (const [, label = '', value = ''] of labels.matchAll(LABEL)) {
    if (OURS_TO_SKIP.has(label)) continue;
    let values = family.labels.get(label);
    if (!values) family.labels.set(label, (values = new Set()));
    values.add(value);
  }
}

/** The metric that a series of a histogram is a part of. */
export function baseName(series: string): string {
  return series.replace(/_(bucket|count|sum)$/, '');
}
