import { describe, expect, it } from '@jest/globals';
import { RPC_POLICIES } from '@reseller/contracts';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { kubernetesSecrets, makeSecrets } from '../make-secrets.mjs';
import { APPS, secretKey, SHARED_SETTINGS } from '../src/apps';
import { collect, readKustomization, readManifests, settingsIn, yamlFiles, type FileManifest } from '../src/kustomize-files'; // prettier-ignore
import { renderAll } from '../src/rendered-files';
import { imageEnvironment } from './dockerfile';
import { complaintsOf, PLACEHOLDERS, ROOT, settingsOf, unknownTo } from './settings';

const kubernetes = path.join(ROOT, 'deploy/kubernetes');
const folder = (name: string): string => path.join(kubernetes, name);
const { version } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8')) as { version: string };

interface Container {
  name: string;
  image: string;
  args: string[];
  env?: { name: string; valueFrom?: { secretKeyRef?: { name: string; key: string; optional?: boolean } } }[];
  envFrom?: { configMapRef?: { name: string }; secretRef?: { name: string } }[];
  ports?: { name: string; containerPort: number }[];
  resources: { requests: { cpu: string; memory: string }; limits: { memory: string } };
  securityContext: object;
  volumeMounts?: { name: string }[];
  startupProbe?: Probe;
  readinessProbe?: Probe;
  livenessProbe?: Probe;
}
interface Probe {
  httpGet?: { path: string; port: string };
}
interface PodTemplate {
  metadata: { labels: Record<string, string> };
  spec: {
    serviceAccountName?: string;
    automountServiceAccountToken: boolean;
    securityContext: object;
    terminationGracePeriodSeconds: number;
    containers: Container[];
    volumes?: { name: string }[];
  };
}
interface Workload extends FileManifest {
  spec: { selector: { matchLabels: Record<string, string> }; template: PodTemplate };
}

const production = collect(folder('base'));
const everything = [...production, ...collect(folder('migrations')), ...collect(folder('vendor-simulator'))];
const ofKind = <T = FileManifest>(manifests: FileManifest[], kind: string): T[] =>
  manifests.filter((each) => each.kind === kind) as T[];
const deployments = ofKind<Workload>(everything, 'Deployment');
const jobs = ofKind<Workload>(everything, 'Job');
const deploymentOf = (app: string): Workload => {
  const found = deployments.find(({ metadata }) => metadata.name === app);
  if (!found) throw new Error(`there is no Deployment ${app}`);
  return found;
};
const containerOf = (workload: Workload): Container => {
  const [container] = workload.spec.template.spec.containers;
  if (!container) throw new Error(`${workload.metadata.name} has no container`);
  return container;
};
const isSubset = (wanted: Record<string, string>, labels: Record<string, string>): boolean =>
  Object.entries(wanted).every(([name, value]) => labels[name] === value);

/** Kinds that come with an operator of the cluster; their schemas are not Kubernetes' own. */
const FOREIGN = /cert-manager\.io|monitoring\.coreos\.com/;

describe('the manifests', () => {
  it('when they are rendered anew, then what is committed is the same', () => {
    for (const [file, text] of Object.entries(renderAll(version)))
      expect([file, readFileSync(folder(file), 'utf8')]).toEqual([file, text]);
  });

  it('when every file is read, then each manifest fits the schema of its kind', () => {
    const files = yamlFiles(kubernetes).filter((file) => !file.endsWith('kustomization.yaml'));
    const manifests = files.flatMap(readManifests);
    const own = manifests.filter(({ apiVersion }) => !FOREIGN.test(apiVersion)).map(({ file: _file, ...rest }) => rest); // prettier-ignore
    const checked = spawnSync(process.execPath, [path.join(__dirname, 'validate-manifests.mjs')], {
      input: JSON.stringify(own),
      encoding: 'utf8',
      maxBuffer: 64 * 1024 * 1024,
    });
    expect(JSON.parse(checked.stdout)).toEqual([]);
    expect(own.length).toBeGreaterThan(60);
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

  it('when its settings are compared with whom it calls, then both name the same services', async () => {
    const known = Object.keys((await settingsOf(name)).shape).filter((key) => key.endsWith('_ADDRESS'));
    const called = calls.map((each) => `${each.toUpperCase().replaceAll('-', '_')}_ADDRESS`);
    expect(called.sort()).toEqual(known.sort());
    const listening = { ...imageEnvironment(), ...settings };
    const numbers = ports.map(({ number }) => String(number));
    expect(Object.values(listening)).toEqual(expect.arrayContaining([...numbers, ...(servesRpc ? ['7000'] : []), '9090'])); // prettier-ignore
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
      // prettier-ignore
      expect([probe, container[probe]?.httpGet?.path]).toEqual([probe, at]);
      expect(container.ports?.map((port) => port.name)).toContain(container[probe]?.httpGet?.port);
    }
    expect(memory).toBeGreaterThanOrEqual((measuredMemory(name) * 4) / 3);
    expect(container.resources.limits.memory).toBe(`${memory}Mi`);
    expect(container.resources.requests.memory).toBe(`${memory}Mi`);
  });
});

describe('what belongs together', () => {
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
        expect(spec.volumes?.map(({ name }) => name)).toEqual(expect.arrayContaining(volumeMounts.map(({ name }) => name))); // prettier-ignore
    for (const { spec } of ofKind<FileManifest & { spec: { scaleTargetRef: { name: string } } }>(
      everything,
      'HorizontalPodAutoscaler',
    ))
      // prettier-ignore
      expect(names('Deployment')).toContain(spec.scaleTargetRef.name);
    for (const { spec } of ofKind<FileManifest & { spec: { selector: { matchLabels: Record<string, string> } } }>(everything, 'PodDisruptionBudget')) // prettier-ignore
      expect(deployments.filter((each) => isSubset(spec.selector.matchLabels, each.spec.template.metadata.labels))).toHaveLength(1); // prettier-ignore
  });

  it('when a Service is called, then it leads to one app, by a port that app has, and to every pod if it is for gRPC', () => {
    type Service = FileManifest & { spec: { clusterIP?: string; selector: Record<string, string>; ports: { name: string; port: number; targetPort: string }[] } }; // prettier-ignore
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

  it('when an app owns a database, then it has a migration job that knows its database only', async () => {
    const owners = [];
    for (const { name } of APPS) if ('DATABASE_URL' in (await settingsOf(name)).shape) owners.push(name);
    expect(jobs.map(({ metadata }) => metadata.name).sort()).toEqual(
      owners.map((name) => `${name}-migrate`).sort(),
    );
    for (const job of jobs) {
      expect(containerOf(job).args).toEqual(['migrate.js']);
      expect(containerOf(job).env).toEqual([
        {
          name: 'DATABASE_URL',
          valueFrom: { secretKeyRef: { name: job.metadata.name, key: 'DATABASE_URL' } },
        },
      ]);
    }
  });
});

describe('who may reach whom', () => {
  interface Rule {
    from?: { podSelector?: { matchLabels: Record<string, string> }; namespaceSelector?: { matchLabels: Record<string, string> } }[]; // prettier-ignore
    to?: Rule['from'];
    ports?: { port: number }[];
  }
  type Policy = FileManifest & { spec: { podSelector: { matchLabels?: Record<string, string> }; ingress?: Rule[]; egress?: Rule[] } }; // prettier-ignore
  const policies = ofKind<Policy>(everything, 'NetworkPolicy');
  const reach = (rules: Rule[] = [], peers: 'from' | 'to'): string[] =>
    rules
      .filter(({ ports }) => ports?.some(({ port }) => port === 7000))
      .flatMap((rule) => rule[peers] ?? [])
      .map(({ podSelector }) => podSelector?.matchLabels['app.kubernetes.io/name'] ?? 'anyone');

  it('when nothing else is said, then nobody may reach anybody', () => {
    const deny = policies.find(({ metadata }) => metadata.name === 'default-deny');
    expect(deny?.spec).toEqual({ podSelector: {}, policyTypes: ['Ingress', 'Egress'] });
  });

  it.each(APPS)(
    'when gRPC of $name is called, then only by those that have its address, whose way out fits',
    async ({ name }) => {
      const callers = [];
      const variable = `${name.toUpperCase().replaceAll('-', '_')}_ADDRESS`;
      for (const other of APPS)
        if (variable in (await settingsOf(other.name)).shape) callers.push(other.name);
      const own = policies.find(({ metadata }) => metadata.name === name);
      expect(reach(own?.spec.ingress, 'from').sort()).toEqual([...callers].sort());
      for (const other of policies.filter(({ metadata }) => APPS.some((app) => app.name === metadata.name)))
        expect(reach(other.spec.egress, 'to').includes(name)).toBe(
          callers.some((each) => each === other.metadata.name),
        );
    },
  );

  it.each(APPS.filter(({ servesRpc }) => servesRpc))(
    'when the contracts name callers of $name, then its policy lets them in',
    ({ name }) => {
      const owner = `/reseller.${CONTRACT_NAMES[name] ?? name}.v1.`;
      const callers = Object.entries(RPC_POLICIES).filter(([rpc]) => rpc.startsWith(owner)).flatMap(([, policy]) => policy.callers); // prettier-ignore
      const own = policies.find(({ metadata }) => metadata.name === name);
      expect([...new Set(callers)].sort()).toEqual(reach(own?.spec.ingress, 'from').sort());
    },
  );

  it.each(['base', 'overlays/example', 'overlays/local'])(
    'when %s names brokers, then the services may reach their ports',
    (overlay) => {
      const url = settingsIn(folder(overlay), 'platform-settings')['EVENT_BUS_URL'] ?? '';
      const ports = [...url.matchAll(/:(\d+)/g)].map(([, port]) => Number(port));
      expect(ports.length).toBeGreaterThan(0);
      const open = policies
        .find(({ metadata }) => metadata.name === 'notifier')
        ?.spec.egress?.flatMap((rule) => rule.ports ?? []);
      expect(open?.map(({ port }) => port)).toEqual(expect.arrayContaining(ports));
    },
  );

  it('when the outside comes in, then through the ingress controller, to the gateway, the console and the callbacks', () => {
    const open = policies.filter(({ spec }) =>
      spec.ingress?.some(({ from }) =>
        from?.some(
          (peer) => peer.namespaceSelector?.matchLabels['kubernetes.io/metadata.name'] === 'ingress-nginx',
        ),
      ),
    );
    expect(open.map(({ metadata }) => metadata.name)).toEqual(['gateway', 'backoffice', 'orders-saga']);
    expect(policies.filter(({ spec }) => spec.ingress?.some(({ from }) => !from))).toEqual([]);
  });
});

describe.each(['overlays/example', 'overlays/example/migrations', 'overlays/local'])('%s', (name) => {
  const kustomization = readKustomization(folder(name));
  const manifests = collect(folder(name));

  it('when it changes something, then that is there to be changed', () => {
    for (const { target } of kustomization.patches ?? [])
      expect([target, manifests.some((each) => each.kind === target.kind && [undefined, each.metadata.name].includes(target.name))]).toEqual([target, true]); // prettier-ignore
    const generated = ['base', 'vendor-simulator'].flatMap((each) => readKustomization(folder(each)).configMapGenerator ?? []); // prettier-ignore
    for (const { name: map, behavior } of kustomization.configMapGenerator ?? [])
      expect([map, behavior, generated.some((each) => each.name === map)]).toEqual([map, 'merge', true]);
    const images = manifests.flatMap(
      (each) => JSON.stringify(each).match(/partner-reseller\/[a-z-]+(?=:)/g) ?? [],
    );
    for (const image of kustomization.images ?? []) {
      expect(images).toContain(image.name);
      expect(image.newTag).toMatch(/^\d+\.\d+\.\d+$/);
    }
    if (kustomization.images) expect(kustomization.images).toHaveLength(new Set(images).size);
  });

  it('when its settings are read by the apps, then none is unknown or wrong', async () => {
    for (const app of APPS.filter((each) =>
      manifests.some((one) => one.kind === 'Deployment' && one.metadata.name === each.name),
    )) {
      // prettier-ignore
      const settings = settingsIn(folder(name), `${app.name}-settings`);
      const shared = settingsIn(folder(name), 'platform-settings');
      const secrets = Object.fromEntries(
        app.secrets.map(secretKey).map((key) => [key.name, placeholder(key.name)]),
      );
      expect(await unknownTo(app.name, settings)).toEqual([]);
      expect(
        await complaintsOf(app.name, { ...imageEnvironment(), ...shared, ...settings, ...secrets }),
      ).toEqual([]);
    }
    for (const key of Object.keys(settingsIn(folder(name), 'platform-settings'))) {
      const readers = [];
      for (const app of APPS) if (key in (await settingsOf(app.name)).shape) readers.push(app.name);
      expect([key, readers.length > 1]).toEqual([key, true]);
    }
  });
});

describe('the local overlay', () => {
  it('when the secrets are made, then each app has what it asks for, and each file is named', async () => {
    const files = kubernetesSecrets(makeSecrets()) as Record<string, Record<string, string>>;
    const { secretGenerator = [] } = readKustomization(folder('overlays/local'));
    expect(secretGenerator.map(({ name }) => name).sort()).toEqual(Object.keys(files).sort());
    for (const { name, envs } of secretGenerator) expect(envs).toEqual([`.secrets/${name}.env`]);
    for (const workload of [...deployments, ...jobs])
      for (const { valueFrom } of containerOf(workload).env ?? []) {
        const reference = valueFrom?.secretKeyRef;
        if (reference && !reference.optional) expect(files[reference.name]).toHaveProperty(reference.key);
      }
    for (const { name } of APPS) {
      const env = { ...imageEnvironment(), ...settingsIn(folder('overlays/local'), 'platform-settings'), ...settingsIn(folder('overlays/local'), `${name}-settings`), ...files[name] }; // prettier-ignore
      expect([name, await complaintsOf(name, env)]).toEqual([name, []]);
    }
  });
});

describe('the certificates', () => {
  it('when mutual TLS is switched on, then each app that speaks gRPC has one of its own name, where its settings look', async () => {
    const { patches = [] } = readKustomization(folder('components/mutual-tls'));
    const certificates = readManifests(folder('components/mutual-tls/certificates.yaml'));
    const speakers = APPS.filter(({ servesRpc, calls }) => servesRpc || calls.length > 0).map(
      ({ name }) => name,
    );
    expect(certificates.map(({ spec }) => (spec as { dnsNames: string[] }).dnsNames)).toEqual(speakers.map((name) => [name])); // prettier-ignore
    for (const { spec } of certificates)
      expect((spec as { usages: string[] }).usages).toEqual(
        expect.arrayContaining(['server auth', 'client auth']),
      );
    expect(patches.map(({ target }) => target.name)).toEqual(speakers);
    for (const { patch, target } of patches) {
      const variables = [...patch.matchAll(/name: (GRPC_TLS_\w+)/g)].map(([, variable = '']) => variable);
      expect(variables).toHaveLength(3);
      expect(Object.keys((await settingsOf(speakers.find((name) => name === target.name)!)).shape)).toEqual(expect.arrayContaining(variables)); // prettier-ignore
    }
  });
});

/** Packages of protos that are not called like their app. */
const CONTRACT_NAMES: Record<string, string> = { 'orders-saga': 'orders', 'scent-commerce': 'scent' };

/** A value of the right shape for a secret of this name. */
function placeholder(name: string): string {
  const made = makeSecrets() as Record<string, string>;
  const urls: Record<string, string> = {
    DATABASE_URL: 'postgresql://role:password@postgres.example.com:5432/database',
    REDIS_URL: 'rediss://default:password@redis.example.com:6379',
    SMTP_URL: 'smtps://user:password@mail.example.com:465',
    VENDORS: '[]',
  };
  const value = urls[name] ?? PLACEHOLDERS[name] ?? made[name];
  if (!value) throw new Error(`no placeholder for ${name}`);
  return value;
}

/** The most that the benchmark ever saw an app hold, in MiB. */
function measuredMemory(app: string): number {
  const history = path.join(ROOT, 'docs/benchmarks/history.jsonl');
  if (!existsSync(history)) throw new Error('docs/benchmarks/history.jsonl is missing');
  const rows = readFileSync(history, 'utf8').trim().split('\n').flatMap((line) => (JSON.parse(line) as { rows: { work: string; measured: number }[] }).rows); // prettier-ignore
  const figures = rows
    .filter(({ work }) => work.startsWith(`Memory of ${app} `))
    .map(({ measured }) => measured);
  expect(figures.length).toBeGreaterThan(0);
  return Math.max(...figures);
}
