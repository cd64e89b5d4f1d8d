import { readFileSync } from 'node:fs';
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
export interface Dashboard {
  readonly uid: string;
  readonly templating: { readonly list: readonly { readonly name: string; readonly type: string }[] };
  readonly panels: readonly Panel[];
}

const ROOT = findRoot();
export const MONITORING = path.join(ROOT, 'deploy/monitoring');
export const METRICS_PAGE = path.join(ROOT, 'docs/platform/metrics.md');
const textOf = (file: string): string => readFileSync(path.join(MONITORING, file), 'utf8');

/** The rules of a file under deploy/monitoring/rules. */
export function readRules(file: 'recording.yml' | 'alerts.yml'): Rule[] {
  const { groups } = parse(textOf(`rules/${file}`)) as { groups: { rules: Rule[] }[] };
  return groups.flatMap(({ rules }) => rules);
}

/** The dashboard's JSON. */
export function readDashboard(): Dashboard {
  return JSON.parse(textOf('grafana/dashboards/partner-reseller.json')) as Dashboard;
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
