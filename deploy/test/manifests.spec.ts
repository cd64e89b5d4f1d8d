import { describe, expect, it } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { APPS, secretKey, SHARED_SETTINGS } from '../src/apps';
import {
  readKustomization,
  readManifests,
  settingsIn,
  yamlFiles,
  type FileManifest,
} from '../src/kustomize-files';
import type { Topic } from '../src/kafka-access';
import { renderAll } from '../src/rendered-files';
import { imageEnvironment } from './dockerfile';
import {
  containerOf,
  deploymentOf,
  deployments,
  everything,
  folder,
  isSubset,
  jobs,
  kubernetes,
  ofKind,
  placeholder,
} from './manifests';
import { complaintsOf, ROOT, settingsOf, unknownTo } from './settings';

const { version } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8')) as { version: string };

const topics = JSON.parse(readFileSync(path.join(ROOT, 'deploy/kafka/topics.json'), 'utf8')) as Topic[];

/** Where what several apps read is described. */
const SHARED_SETTINGS_PAGES = [
  'libs/service-kit/README.md',
  'docs/platform/event-bus.md',
  'docs/platform/tracing-and-logs.md',
];

describe('the manifests', () => {
  it('when they are rendered anew, then what is committed is the same', () => {
    for (const [file, text] of Object.entries(renderAll(version, topics)))
      expect([file, readFileSync(folder(file), 'utf8')]).toEqual([file, text]);
  });

  it('when every file is read, then each manifest fits the schema of its kind', () => {
    const files = yamlFiles(kubernetes).filter((file) => !file.endsWith('kustomization.yaml'));
    const manifests = files.flatMap(readManifests);
    const all = manifests.map(({ file: _file, ...rest }) => rest);
    const checked = spawnSync(process.execPath, [path.join(__dirname, 'validate-manifests.mjs')], {
      input: JSON.stringify(all),
      encoding: 'utf8',
      maxBuffer: 64 * 1024 * 1024,
    });
    expect(JSON.parse(checked.stdout)).toEqual([]);
    expect(all.length).toBeGreaterThan(60);
  });
});

describe.each(APPS)('$name', ({ name, secrets, calls, memory, ports, servesRpc }) => {
  const container = containerOf(deploymentOf(name));
  const settings = settingsIn(folder(name === 'vendor-simulator' ? name : 'base'), `${name}-settings`);

  it('when it starts with these settings and secrets, then nothing is missing, wrong or unknown to it', async () => {
    const given = secrets.map(secretKey).filter(({ optional }) => !optional);
    const values = Object.fromEntries(given.map((key) => [key.name, placeholder(key.name)]));
    expect(await unknownTo(name, { ...settings, ...values })).toEqual([]);
    const env = { ...imageEnvironment(), ...SHARED_SETTINGS, ...settings, ...values };
    expect(await complaintsOf(name, env)).toEqual([]);
    expect(container.env?.map((each) => each.valueFrom?.secretKeyRef)).toEqual(
      secrets.map(secretKey).map((key) => ({ name, key: key.name, ...(key.optional && { optional: true }) })),
    );
  });

  it('when its settings are looked up, then its page or a shared one has each, and its table no other', async () => {
    const read = (file: string): string => readFileSync(path.join(ROOT, file), 'utf8');
    const page = read(`apps/${name}/README.md`);
    const pages = [page, ...SHARED_SETTINGS_PAGES.map(read)].join('\n');
    const known = Object.keys((await settingsOf(name)).shape);
    expect(known.filter((setting) => !new RegExp(`\\b${setting}\\b`).test(pages))).toEqual([]);
    const [, table = ''] = /^\| Variable .*\n\|[-| ]+\n((?:\|.*\n)+)/m.exec(page) ?? [];
    const named = table.split('\n').flatMap((row) => row.split('|')[1]?.match(/[A-Z][A-Z\d_]+/g) ?? []);
    expect(named.length).toBeGreaterThan(1);
    expect(named.filter((setting) => !known.includes(setting))).toEqual([]);
  });

  it('when its settings are compared with whom it calls, then both name the same services', async () => {
    const known = Object.keys((await settingsOf(name)).shape).filter((key) => /(?<!_PER)_ADDRESS$/.test(key));
    const called = calls.map((each) => `${each.toUpperCase().replaceAll('-', '_')}_ADDRESS`);
    expect(called.sort()).toEqual(known.sort());
    const listening = { ...imageEnvironment(), ...settings };
    const numbers = ports.map(({ number }) => String(number));
    expect(Object.values(listening)).toEqual(
      expect.arrayContaining([...numbers, ...(servesRpc ? ['7000'] : []), '9090']),
    );
  });

  it('when it is probed, stopped and limited, then by ports that exist, with time enough, above what was measured', () => {
    const { terminationGracePeriodSeconds: patience } = deploymentOf(name).spec.template.spec;
    const { SHUTDOWN_DELAY_MS: delay, SHUTDOWN_GRACE_MS: grace } = SHARED_SETTINGS;
    expect(patience * 1_000).toBeGreaterThan(Number(delay) + Number(grace) + 5_000);
    for (const [probe, at] of [
      ['startupProbe', '/healthz'],
      ['readinessProbe', '/readyz'],
      ['livenessProbe', '/healthz'],
    ] as const) {
      expect([probe, container[probe]?.httpGet?.path]).toEqual([probe, at]);
      expect(container.ports?.map((port) => port.name)).toContain(container[probe]?.httpGet?.port);
    }
    expect(memory).toBeGreaterThanOrEqual((measuredMemory(name) * 4) / 3);
    expect(container.resources.limits.memory).toBe(`${memory}Mi`);
    expect(container.resources.requests.memory).toBe(`${memory}Mi`);
  });
});

describe('what belongs together', () => {
  it('when a platform team reads which secrets to make, then the page names every one of every app', () => {
    const page = readFileSync(path.join(ROOT, 'docs/platform/deploying.md'), 'utf8');
    const named = APPS.filter(({ name }) => name !== 'vendor-simulator').flatMap(({ secrets }) => secrets);
    expect(named.map(secretKey).filter((key) => !page.includes(`\`${key.name}\``))).toEqual([]);
  });

  it('when something selects or names something else, then that exists', () => {
    const names = (kind: string): string[] => ofKind(everything, kind).map(({ metadata }) => metadata.name);
    for (const workload of deployments) {
      const { selector, template } = workload.spec;
      expect(isSubset(selector.matchLabels, template.metadata.labels)).toBe(true);
      expect(names('ServiceAccount')).toContain(template.spec.serviceAccountName);
      for (const source of containerOf(workload).envFrom ?? []) {
        const name = source.configMapRef?.name ?? '';
        const found = ['base', 'vendor-simulator'].some((each) =>
          readKustomization(folder(each)).configMapGenerator?.some((one) => one.name === name),
        );
        expect([name, found]).toEqual([name, true]);
      }
    }
    const templates = [...deployments, ...jobs].map((each) => each.spec.template);
    for (const { spec } of templates)
      for (const { volumeMounts = [] } of spec.containers)
        expect(spec.volumes?.map(({ name }) => name)).toEqual(
          expect.arrayContaining(volumeMounts.map(({ name }) => name)),
        );
    for (const { spec } of ofKind<FileManifest & { spec: { scaleTargetRef: { name: string } } }>(
      everything,
      'HorizontalPodAutoscaler',
    ))
      expect(names('Deployment')).toContain(spec.scaleTargetRef.name);
    for (const { spec } of ofKind<
      FileManifest & { spec: { selector: { matchLabels: Record<string, string> } } }
    >(everything, 'PodDisruptionBudget'))
      expect(
        deployments.filter((each) => isSubset(spec.selector.matchLabels, each.spec.template.metadata.labels)),
      ).toHaveLength(1);
  });

  it('when a Service is called, then it leads to one app, by a port that app has, and to every pod if it is for gRPC', () => {
    type Service = FileManifest & {
      spec: {
        clusterIP?: string;
        selector: Record<string, string>;
        ports: { name: string; port: number; targetPort: string }[];
      };
    };
    for (const { metadata, spec } of ofKind<Service>(everything, 'Service')) {
      const targets = deployments.filter((each) =>
        isSubset(spec.selector, each.spec.template.metadata.labels),
      );
      expect([metadata.name, targets.length]).toEqual([metadata.name, 1]);
      for (const port of spec.ports) {
        const target = containerOf(targets[0]!).ports?.find(({ name }) => name === port.targetPort);
        expect([metadata.name, target?.containerPort]).toEqual([metadata.name, port.port]);
      }
      expect(spec.clusterIP === 'None').toBe(spec.ports.some(({ name }) => name === 'grpc'));
    }
  });

  it('when any pod runs, then with no more rights than it needs, and from an image of this version', () => {
    for (const workload of [...deployments, ...jobs]) {
      const { spec } = workload.spec.template;
      expect(spec.automountServiceAccountToken).toBe(false);
      expect(spec.securityContext).toMatchObject({
        runAsNonRoot: true,
        seccompProfile: { type: 'RuntimeDefault' },
      });
      const container = containerOf(workload);
      expect(container.securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
      const app = workload.metadata.name.replace(/-migrate$/, '');
      expect(container.image).toBe(`partner-reseller/${app}:${version}`);
      const env = containerOf(workload).env ?? [];
      expect(env.filter((each) => !each.valueFrom?.secretKeyRef)).toEqual([]);
    }
  });

  it('when an app owns a database, then it has a migration job that knows its database’s owner, which the app does not', async () => {
    const owners = [];
    for (const { name } of APPS) if ('DATABASE_URL' in (await settingsOf(name)).shape) owners.push(name);
    expect(jobs.map(({ metadata }) => metadata.name).sort()).toEqual(
      owners.map((name) => `${name}-migrate`).sort(),
    );
    for (const job of jobs) {
      expect(containerOf(job).args).toEqual(['migrate.js']);
      expect(containerOf(job).env).toEqual(
        ['DATABASE_MIGRATION_URL', 'DATABASE_RUNTIME_ROLE'].map((key) => ({
          name: key,
          valueFrom: { secretKeyRef: { name: job.metadata.name, key } },
        })),
      );
    }
  });
});

/** What the benchmark lets a process hold after a minute of load, in MiB (README.md). */
const LARGEST_MIB = 200;

/** The most that the benchmark ever saw an app hold, in MiB; a new one, until then, is held to what it lets any hold. */
function measuredMemory(app: string): number {
  const history = path.join(ROOT, 'docs/benchmarks/history.jsonl');
  if (!existsSync(history)) throw new Error('docs/benchmarks/history.jsonl is missing');
  const rows = readFileSync(history, 'utf8')
    .trim()
    .split('\n')
    .flatMap((line) => (JSON.parse(line) as { rows: { work: string; measured: number }[] }).rows);
  const ofMemory = rows.filter(({ work }) => work.startsWith('Memory of '));
  expect(ofMemory.length).toBeGreaterThan(0);
  const figures = ofMemory
    .filter(({ work }) => work.startsWith(`Memory of ${app} `))
    .map(({ measured }) => measured);
  return figures.length > 0 ? Math.max(...figures) : LARGEST_MIB;
}
