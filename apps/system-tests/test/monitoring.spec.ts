import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { expectSuccess } from '../src/clients/response';
import { newEsim, newTopup } from '../src/clients/bodies';
import { OperatorClient } from '../src/clients/operator-client';
import { startReceiver, type WebhookReceiver } from '../src/clients/webhook-receiver';
import { baseName, isOurs, readExposition, type MetricFamily } from '../src/monitoring/exposition';
import {
  commandsOf,
  logLinesOf,
  MONITORING,
  panelsOf,
  readDashboard,
  readDeclaredMetrics,
  readSources,
  readRules,
  readRunbook,
} from '../src/monitoring/monitoring-files';
import { readPromQl } from '../src/monitoring/promql';
import { until } from '../src/until';
import { readPlatformFile } from '../src/platform/platform-file';

const recorded = readRules('recording.yml');
const alerts = readRules('alerts.yml');
const dashboard = readDashboard();
const runbook = readRunbook();
const panelExpressions = dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
const declared = new Map(readDeclaredMetrics().map((metric) => [metric.name, metric]));
const expressions = [...recorded, ...alerts].map(({ expr }) => expr).concat(panelExpressions);

/** What Prometheus adds to everything it scrapes, and to alerts. */
const TARGET_LABELS = ['job', 'instance', 'service', 'le', 'quantile'];
/** Made by prom-client, of every process. */
const NODES_OWN = /^(nodejs|process)_/;
const NODES_LABELS = ['kind', 'space', 'type', 'version'];
const FROM_PROMETHEUS = new Set(['up', 'ALERTS']);

describe('the files of deploy/monitoring', () => {
  test('when an expression is parsed, then the grammar knows all of it', () => {
    expect(expressions.flatMap((expr) => readPromQl(expr).faults)).toEqual([]);
    expect(readPromQl('sum(rate(x[5m]) > ').faults).not.toEqual([]);
  });

  test('when an alert fires, then it says how grave it is, what is wrong, and where to read on', () => {
    for (const { alert, labels, annotations, for: wait } of alerts) {
      expect([alert, labels?.severity]).toEqual([alert, expect.stringMatching(/^(page|ticket|none)$/)]);
      expect([alert, wait]).toEqual([
        alert,
        alert === 'Watchdog' ? undefined : expect.stringMatching(/^\d+[mh]$/),
      ]);
      expect(annotations).toEqual({
        summary: expect.stringMatching(/.{10}/),
        description: expect.stringMatching(/.{20}/),
        runbook_url: `docs/platform/runbook.md#${alert?.toLowerCase()}`,
      });
    }
  });

  test('when an alert is looked up, then the runbook has one entry for it, and none for anything else', () => {
    expect(runbook.map(({ title }) => title).sort()).toEqual(alerts.map(({ alert }) => alert).sort());
    const severities = new Map(alerts.map(({ alert, labels }) => [alert, labels?.severity]));
    for (const { title, text } of runbook) {
      expect([title, text.trim().split('\n')[0]]).toEqual([title, `*${severities.get(title)}*`]);
      expect(
        [title, ...text.matchAll(/^\*\*(.+?)\*\*/gm)].map((part) => (Array.isArray(part) ? part[1] : part)),
      ).toEqual([title, ...['Means.', 'Partners notice.', 'Confirm.', 'Do.', 'Can wait?', 'Ends.']]);
    }
  });

  test('when the runbook names a line of a log, then a service writes it', () => {
    const lines = runbook.flatMap(({ text }) => logLinesOf(text.replaceAll(/\s+/g, ' ')));
    expect(lines.length).toBeGreaterThan(8);
    const sources = readSources();
    expect(lines.filter((line) => !sources.includes(line))).toEqual([]);
  });

  test('when the runbook names a panel of the dashboard, then there is one', () => {
    const named = runbook.flatMap(({ text }) => panelsOf(text.replaceAll(/\s+/g, ' ')));
    expect(named.length).toBeGreaterThan(8);
    const titles = dashboard.panels.map(({ title }) => title);
    expect(named.filter((name) => !titles.some((title) => title.startsWith(name)))).toEqual([]);
  });

  test('when the runbook has somebody call the operators’ API, then there is such a call', async () => {
    const operator = new OperatorClient(readPlatformFile());
    const commands = runbook.flatMap(({ text }) => commandsOf(text.replaceAll(/\s+/g, ' ')));
    expect(commands.length).toBeGreaterThan(8);
    for (const { path: called, method } of commands) {
      const { state } = await operator.call(called, { method, ...(method !== 'GET' && { body: {} }) });
      expect([method, called, state]).not.toEqual([
        method,
        called,
        expect.stringMatching(/^(NOT_FOUND_ROUTE|METHOD_NOT_ALLOWED|UNAUTHORIZED.*)$/),
      ]);
    }
  });

  test('when Grafana reads the dashboard, then ids are unique and every panel takes the data source of the variable', () => {
    const ids = dashboard.panels.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(dashboard.templating.list.map(({ name }) => name)).toEqual(['datasource', 'service', 'instance']);
    const charts = dashboard.panels.filter(({ type }) => type !== 'row');
    expect(charts.length).toBeGreaterThan(30);
    for (const { title, description, datasource, targets = [] } of charts) {
      const sources = [datasource, ...targets.map((target) => target.datasource)].map(
        (source) => source?.uid,
      );
      expect([title, [...new Set(sources)]]).toEqual([title, ['${datasource}']]);
      expect([title, description]).toEqual([title, expect.stringMatching(/.{5}/)]);
    }
  });

  test('when files follow from others, then they are written anew after a change (npm run monitoring)', () => {
    const check = path.join(MONITORING, 'generate.mjs');
    expect(execFileSync(process.execPath, [check, '--check'], { encoding: 'utf8' })).toBe('');
  });
});

describe('the metrics that the sources declare', () => {
  test('when a rule or a panel asks for a metric, then it is declared with these labels', () => {
    const records = new Map(recorded.map(({ record, expr }) => [record ?? '', readPromQl(expr).groupedBy]));
    const labelsOf = (metric: string): readonly string[] | undefined => {
      if (FROM_PROMETHEUS.has(metric)) return ['alertstate', 'alertname'];
      return (declared.get(metric) ?? declared.get(baseName(metric)))?.labels ?? records.get(metric);
    };
    for (const expr of expressions) {
      const { selectors, groupedBy } = readPromQl(expr);
      for (const { metric, labels } of selectors) {
        const known = labelsOf(metric) ?? (NODES_OWN.test(metric) ? NODES_LABELS : undefined);
        expect([expr, metric, known !== undefined]).toEqual([expr, metric, true]);
        expect(labels.filter((label) => ![...TARGET_LABELS, ...(known ?? [])].includes(label))).toEqual([]);
      }
      const all = selectors.flatMap(({ metric }) => labelsOf(metric) ?? []);
      expect([expr, groupedBy.filter((label) => ![...TARGET_LABELS, ...all].includes(label))]).toEqual([
        expr,
        [],
      ]);
    }
  });

  test('when a metric is declared, then its HELP says what it is and what to do with several instances', () => {
    const silent = [...declared.values()].filter(
      ({ help }) => !/.{10}.*(take (max|min)\(\)|Sum over instances)\.$/.test(help),
    );
    expect(silent.map(({ name, help }) => `${name}: ${help}`)).toEqual([]);
  });
});

describe('the metrics of the running services', () => {
  const families = new Map<string, MetricFamily>();
  let receiver: WebhookReceiver;

  beforeAll(async () => {
    receiver = await startReceiver();
    await aJourney(receiver);
    for (const [service, instances] of Object.entries(readPlatformFile().instances))
      for (const { healthUrl } of instances) {
        readExposition(service, await metricsOf(healthUrl), families);
      }
  });
  afterAll(() => receiver.stop());

  const ours = (): MetricFamily[] => [...families.values()].filter(isOurs);

  test('when a service exports a metric of ours, then it is declared so', () => {
    for (const { name, type, help, labels } of ours()) {
      const metric = declared.get(name);
      expect([name, type, help]).toEqual([name, metric?.type, metric?.help]);
      expect([name, [...labels.keys()].filter((label) => !metric?.labels.includes(label))]).toEqual([
        name,
        [],
      ]);
    }
  });

  test('when partners order, then no label grows with them', () => {
    const looksLikeAnId = /[0-9a-f]{8}-[0-9a-f]{4}|\d{5}|@|\+\d|^[A-Z]{2}-[0-9A-Z]{10}|https?:/i;
    for (const { name, labels } of ours())
      for (const [label, values] of labels) {
        expect([name, label, [...values].filter((value) => looksLikeAnId.test(value))]).toEqual([
          name,
          label,
          [],
        ]);
        // Of RPCs there are some 190, of routes and pages some 180, and a run may have called each.
        const most = ['method', 'route'].includes(label) ? 250 : 150;
        expect([name, label, values.size < most]).toEqual([name, label, true]);
      }
  });
});

/** What an instance exports; one that another spec file killed may be on its way back. */
function metricsOf(healthUrl: string): Promise<string> {
  return until(`${healthUrl} responds`, () =>
    fetch(`${healthUrl}/metrics`).then((response) => response.text()),
  );
}

/** An order of each kind that sends a webhook, a refusal, and an operator's look. */
async function aJourney(receiver: WebhookReceiver): Promise<void> {
  const operator = new OperatorClient(readPlatformFile());
  const partner = await operator.newPartner({ deposit: 500 });
  const hook = { url: receiver.url, eventTypes: ['order.completed'] };
  expect((await partner.live.call('/webhooks', { body: hook })).status).toBe(201);
  expectSuccess(await partner.live.call('/orders/topup', { body: newTopup() }));
  expectSuccess(await partner.sandbox.call('/orders/topup', { body: newTopup() }));
  expectSuccess(await partner.sandbox.call('/orders/esim', { body: newEsim() }));
  expect((await partner.sandbox.call('/orders/topup/not-a-uuid')).status).toBe(400);
  await operator.get('/orders?pageSize=1');
  await receiver.waitFor(1);
}
