import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { findRoot } from '../platform/start-platform';

/** A rule that records or alerts. */
export interface Rule {
  readonly record?: string;
  readonly alert?: string;
  readonly expr: string;
  readonly for?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
}

/** A panel of the dashboard. */
export interface Panel {
  readonly id: number;
  readonly type: string;
  readonly title: string;
  readonly description?: string;
  readonly datasource?: { readonly uid: string };
  readonly targets?: readonly { readonly expr: string; readonly datasource: { readonly uid: string } }[];
}

/** The overview as Grafana takes it. */
interface Dashboard {
  readonly uid: string;
  readonly templating: { readonly list: readonly { readonly name: string; readonly type: string }[] };
  readonly panels: readonly Panel[];
}

const ROOT = findRoot();
export const MONITORING = path.join(ROOT, 'deploy/monitoring');
const textOf = (file: string): string => readFileSync(path.join(MONITORING, file), 'utf8');

/** The rules of a file under deploy/monitoring/rules. */
export function readRules(file: 'recording.yml' | 'alerts.yml'): Rule[] {
  const { groups } = parse(textOf(`rules/${file}`)) as { groups: { rules: Rule[] }[] };
  return groups.flatMap(({ rules }) => rules);
}

/** A metric as the sources declare it; `labels` without `service`. */
interface DeclaredMetric {
  readonly name: string;
  readonly type: string;
  readonly labels: readonly string[];
  readonly help: string;
}

/** Every metric that apps and libraries declare. */
export function readDeclaredMetrics(): DeclaredMetric[] {
  const script = path.join(ROOT, 'libs/toolchain/metrics-page.mjs');
  return JSON.parse(
    execFileSync(process.execPath, [script, '--json'], { cwd: ROOT, encoding: 'utf8' }),
  ) as DeclaredMetric[];
}

/** The dashboard's JSON. */
export function readDashboard(): Dashboard {
  return JSON.parse(textOf('grafana/dashboards/partner-reseller.json')) as Dashboard;
}

/** What the runbook has people do at the operators' API: `ops /path`, and how. */
export function commandsOf(text: string): { path: string; method: string }[] {
  return [...text.matchAll(/`ops '?(\/[^ '`]+)'?([^`]*)`/g)].map(([, path = '', options = '']) => ({
    path: path.replaceAll(/\$[A-Z]+/g, '00000000-0000-7000-8000-000000000000'),
    method: /-X (\w+)/.exec(options)?.[1] ?? (/ -d /.test(options) ? 'POST' : 'GET'),
  }));
}

/** What the runbook says stands in a log: “the log, `job failed`”. */
export function logLinesOf(text: string): string[] {
  return [...text.matchAll(/log, `([^`]+)`/g)].map(([, line = '']) => line);
}

/** The panels that the runbook has people look at: “Dashboard, *Memory*”. */
export function panelsOf(text: string): string[] {
  return [...text.matchAll(/dashboard, ([^.:;]*)/gi)].flatMap(([, named = '']) =>
    [...named.matchAll(/\*([^*]+)\*/g)].map(([, title = '']) => title),
  );
}

/** The sources of all apps and libraries, generated ones left out, as one text. */
export function readSources(): string {
  return ['apps', 'libs']
    .flatMap((folder) =>
      readdirSync(path.join(ROOT, folder)).map((name) => path.join(ROOT, folder, name, 'src')),
    )
    .filter((src) => existsSync(src))
    .flatMap((src) =>
      readdirSync(src, { recursive: true, encoding: 'utf8' }).map((file) => path.join(src, file)),
    )
    .filter((file) => file.endsWith('.ts') && !file.includes('generated') && !file.includes('/gen/'))
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n');
}

/** The runbook's entries in their order: each heading of the second level, and the text under it. */
export function readRunbook(): { title: string; text: string }[] {
  const text = readFileSync(path.join(ROOT, 'docs/platform/runbook.md'), 'utf8');
  const [, ...entries] = text.split(/^## /m);
  return entries.map((entry) => {
    const [title = '', ...body] = entry.split('\n');
    return { title: title.trim(), text: body.join('\n') };
  });
}
