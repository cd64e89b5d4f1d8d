// Writes what follows from other files: the dashboard's JSON, and the rules as objects of the Prometheus Operator.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { format } from 'oxfmt';
import { parse, stringify } from 'yaml';
import { dashboard } from './dashboard.mjs';

const HERE = path.dirname(fileURLToPath(import.meta.url));
const WRITTEN = '# Written by `npm run monitoring`; change the files it is made of.\n';
/** As `npm run format` would write a file. */
const form = JSON.parse(readFileSync(path.join(HERE, '../../.oxfmtrc.json'), 'utf8'));
const labels = { 'app.kubernetes.io/part-of': 'partner-reseller' };
const groupsOf = (name) => parse(readFileSync(path.join(HERE, 'rules', name), 'utf8')).groups;

const prometheusRule = {
  apiVersion: 'monitoring.coreos.com/v1',
  kind: 'PrometheusRule',
  metadata: { name: 'partner-reseller', labels },
  spec: { groups: [...groupsOf('recording.yml'), ...groupsOf('alerts.yml')] },
};

// By pod and not by service: behind a service only one instance of several would be read. `service` is ours to say.
const podMonitor = {
  apiVersion: 'monitoring.coreos.com/v1',
  kind: 'PodMonitor',
  metadata: { name: 'partner-reseller', labels },
  spec: {
    jobLabel: 'app.kubernetes.io/name',
    selector: { matchLabels: { ...labels, 'app.kubernetes.io/component': 'app' } },
    podMetricsEndpoints: [{ port: 'health', path: '/metrics', interval: '15s', honorLabels: true }],
  },
};

/** What is written where, by its path under this directory. */
const generated = {
  'grafana/dashboards/partner-reseller.json': `${JSON.stringify(dashboard, null, 2)}\n`,
  'kubernetes/prometheus-rule.yaml':
    WRITTEN + stringify(prometheusRule, { lineWidth: 0, aliasDuplicateObjects: false }),
  'kubernetes/pod-monitor.yaml':
    WRITTEN + stringify(podMonitor, { lineWidth: 0, aliasDuplicateObjects: false }),
};

// With --check nothing is written: it names the files that are not as they would be.
const isCheck = process.argv.includes('--check');
for (const [file, text] of Object.entries(generated)) {
  const target = path.join(HERE, file);
  const isPlain = file.endsWith('.json');
  const formatted = isPlain ? text : (await format(target, text, form)).code;
  if (!isCheck) writeFileSync(target, formatted);
  else if (readFileSync(target, 'utf8') !== formatted) process.stdout.write(`${file} is out of date\n`);
}
