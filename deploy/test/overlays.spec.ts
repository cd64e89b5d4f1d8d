import { describe, expect, it } from '@jest/globals';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { makeCertificates } from '../make-certificates.mjs';
import { kubernetesSecrets } from '../make-secrets.mjs';
import { APPS, secretKey } from '../src/apps';
import { CERTIFICATE_MOUNT } from '../src/certificate-files';
import { speaksRpc } from '../src/certificates';
import { collect, readKustomization, settingsIn, type FileManifest } from '../src/kustomize-files';
import { given } from './compose';
import { imageEnvironment } from './dockerfile';
import {
  containerOf,
  deploymentOf,
  deployments,
  everything,
  folder,
  jobs,
  ofKind,
  placeholder,
} from './manifests';
import { complaintsOf, securedBy, settingsOf, unknownTo } from './settings';

describe.each(['overlays/example', 'overlays/example/migrations', 'overlays/local'])('%s', (name) => {
  const kustomization = readKustomization(folder(name));
  const manifests = collect(folder(name));

  it('when it changes something, then that is there to be changed', () => {
    for (const { target } of kustomization.patches ?? [])
      expect([
        target,
        manifests.some(
          (each) => each.kind === target.kind && [undefined, each.metadata.name].includes(target.name),
        ),
      ]).toEqual([target, true]);
    const generated = ['base', 'vendor-simulator'].flatMap(
      (each) => readKustomization(folder(each)).configMapGenerator ?? [],
    );
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
    const files = kubernetesSecrets(given) as Record<string, Record<string, string>>;
    const { secretGenerator = [] } = readKustomization(folder('overlays/local'));
    const byEnv = secretGenerator.filter(({ envs }) => envs);
    expect(byEnv.map(({ name }) => name).sort()).toEqual(Object.keys(files).sort());
    for (const { name, envs } of byEnv) expect(envs).toEqual([`.secrets/${name}.env`]);
    for (const workload of [...deployments, ...jobs])
      for (const { valueFrom } of containerOf(workload).env ?? []) {
        const reference = valueFrom?.secretKeyRef;
        if (reference && !reference.optional) expect(files[reference.name]).toHaveProperty(reference.key);
      }
    for (const { name } of APPS) {
      const env = {
        ...imageEnvironment(),
        ...settingsIn(folder('overlays/local'), 'platform-settings'),
        ...settingsIn(folder('overlays/local'), `${name}-settings`),
        ...files[name],
      };
      expect([name, await complaintsOf(name, env)]).toEqual([name, []]);
    }
  });
});

describe('what reaches an installation from outside', () => {
  it('when proxies are believed, then as networks of their own, in no manifest as all private addresses', () => {
    const trusted = ['base', 'vendor-simulator', 'overlays/example', 'overlays/local'].flatMap((name) =>
      APPS.flatMap((app) => settingsIn(folder(name), `${app.name}-settings`)['TRUST_PROXY'] ?? []),
    );
    expect(trusted.length).toBeGreaterThan(0);
    const networks = trusted.flatMap((value) => value.split(','));
    // An address, or a network of at most 4,096 of them.
    expect(networks.filter((one) => !/^\d+(\.\d+){3}(\/(2\d|3[0-2]))?$/.test(one))).toEqual([]);
  });

  it('when partners come through the ingress, then to the API and its pages and nothing else', () => {
    type Ingress = FileManifest & {
      spec: { rules: { http: { paths: { path: string; backend: { service: { name: string } } }[] } }[] };
    };
    const published = collect(folder('overlays/example'))
      .filter(({ kind }) => kind === 'Ingress')
      .flatMap((each) => (each as Ingress).spec.rules.flatMap(({ http }) => http.paths));
    expect(published.map(({ path, backend }) => [backend.service.name, path])).toEqual([
      ['gateway', '/api/v1'],
      ['gateway', '/docs'],
    ]);
  });
});

describe('the certificates', () => {
  const speakers = APPS.filter(speaksRpc).map(({ name }) => name);
  const certificates = ofKind<FileManifest & { spec: Certificate }>(everything, 'Certificate').filter(
    ({ spec }) => !spec.isCA,
  );
  interface Certificate {
    isCA?: boolean;
    secretName: string;
    dnsNames: string[];
    usages: string[];
  }

  it.each(speakers)(
    'when %s runs, then with a certificate of its own name, where its settings look',
    (name) => {
      const { volumes = [] } = deploymentOf(name).spec.template.spec;
      const { volumeMounts = [] } = containerOf(deploymentOf(name));
      const volume = volumes.find(({ secret }) => secret);
      const certificate = certificates.find(({ spec }) => spec.secretName === volume?.secret?.secretName);
      expect(certificate?.spec.dnsNames).toEqual([name]);
      expect(certificate?.spec.usages).toEqual(expect.arrayContaining(['server auth', 'client auth']));
      expect(volumeMounts).toContainEqual({
        name: volume?.name,
        mountPath: CERTIFICATE_MOUNT,
        readOnly: true,
      });
    },
  );

  it.each(['base', 'overlays/example', 'overlays/local'])(
    'when an app of %s starts in production, then its RPC is never in plain text',
    async (overlay) => {
      const directory = mkdtempSync(path.join(tmpdir(), 'certificates-'));
      await makeCertificates(directory);
      for (const app of speakers) {
        const settings = ['platform-settings', `${app}-settings`].map((map) =>
          settingsIn(folder(overlay), map),
        );
        const { secrets } = APPS.find(({ name }) => name === app)!;
        const values = secrets.map(secretKey).map(({ name }) => [name, placeholder(name)]);
        const given = Object.fromEntries(values) as Record<string, string>;
        const env = { ...imageEnvironment(), ...Object.assign({}, ...settings), ...given };
        expect([app, securedBy(app, env, path.join(directory, app))]).toEqual([app, true]);
        // The vendor of the local overlay is the simulator.
        expect(env['PLAINTEXT_ALLOWED']).toBe(overlay === 'overlays/local' ? 'vendors' : undefined);
        expect(env['EVENT_BUS_URL']).toMatch(/^kafka\+ssl:/);
      }
      rmSync(directory, { recursive: true });
    },
  );

  it('when a cluster has no cert-manager, then nothing of it is left, and each Secret is made of files', () => {
    const { components = [], secretGenerator = [] } = readKustomization(folder('overlays/local'));
    expect(components).toEqual(['../../components/own-certificates']);
    const { patches = [] } = readKustomization(folder('components/own-certificates'));
    expect(patches.map(({ target, patch }) => [target.kind, patch.startsWith('$patch: delete')])).toEqual([
      ['Issuer', true],
      ['Certificate', true],
    ]);
    const made = secretGenerator.filter(({ name }) => name.endsWith('-rpc'));
    expect(made.map(({ name, files }) => [name, files])).toEqual(
      speakers.map((name) => [
        `${name}-rpc`,
        ['tls.crt', 'tls.key', 'ca.crt'].map((file) => `.secrets/${name}-rpc/${file}`),
      ]),
    );
  });

  it('when PostgreSQL comes by CloudNativePG, then commits wait for a standby, and its pooler is as documented', () => {
    const manifests = collect(folder('components/cloudnative-pg')) as (FileManifest & { spec: unknown })[];
    const [cluster, pooler, policy] = ['Cluster', 'Pooler', 'NetworkPolicy'].map((kind) =>
      manifests.find((one) => one.kind === kind),
    );
    // The base denies what no policy allows.
    const matchLabels = { 'cnpg.io/cluster': cluster?.metadata.name };
    expect(policy?.spec).toMatchObject({ podSelector: { matchLabels } });
    expect(cluster?.spec).toMatchObject({
      instances: 3,
      postgresql: { synchronous: { method: 'any', number: 1, dataDurability: 'required' } },
    });
    const page = readFileSync(path.join(__dirname, '../../docs/platform/pooling.md'), 'utf8');
    const documented = (name: string) => new RegExp(`^(?:; )?${name} = (\\d+)$`, 'm').exec(page)?.[1];
    const names = ['max_client_conn', 'query_wait_timeout', 'max_prepared_statements'];
    expect(pooler?.spec).toMatchObject({
      cluster: { name: cluster?.metadata.name },
      type: 'rw',
      pgbouncer: {
        poolMode: 'transaction',
        parameters: Object.fromEntries(names.map((name) => [name, documented(name)])),
      },
    });
  });
});
