import { stringify } from 'yaml';
import { APPS, SHARED_SETTINGS } from './apps.ts';
import type { App } from './apps.ts';
import { certificate, speaksRpc } from './certificates.ts';
import { accessOf, accessScript, kafkaUser, type Topic } from './kafka-access.ts';
import { appManifests, hasDatabase, settingsOfApp } from './manifests.ts';
import { migrationJob } from './migration-job.ts';
import { sharedPolicies } from './network-policies.ts';

const HEAD =
  '# Written by `npm run manifests` out of deploy/src/apps.ts; change it there, or in an overlay.\n';

const yaml = (value: object): string =>
  stringify(value, { lineWidth: 0, aliasDuplicateObjects: false, singleQuote: true });
const documents = (manifests: object[]): string => HEAD + manifests.map(yaml).join('---\n');
const literals = (settings: Record<string, string>): string[] =>
  Object.entries(settings).map(([name, value]) => `${name}=${value}`);

const kustomization = (body: object): string =>
  HEAD + yaml({ apiVersion: 'kustomize.config.k8s.io/v1beta1', kind: 'Kustomization', ...body });

const settings = (apps: App[]) =>
  apps.map((app) => ({ name: `${app.name}-settings`, literals: literals(settingsOfApp(app)) }));

/** The generated files, by their place seen from deploy/kubernetes, and what stands in them; topics are those of deploy/kafka. */
export function renderAll(version: string, topics: readonly Topic[]): Record<string, string> {
  const inProduction = APPS.filter(({ name }) => name !== 'vendor-simulator');
  const simulator = APPS.filter(({ name }) => name === 'vendor-simulator');
  const withDatabase = inProduction.filter(hasDatabase);
  const file = (app: App): string => `${app.name}.yaml`;
  return {
    'base/kustomization.yaml': kustomization({
      namespace: 'partner-reseller',
      resources: [
        'namespace.yaml',
        'network.yaml',
        'issuer.yaml',
        'certificates.yaml',
        ...inProduction.map(file),
      ],
      configMapGenerator: [
        { name: 'platform-settings', literals: literals(SHARED_SETTINGS) },
        ...settings(inProduction),
      ],
    }),
    'base/network.yaml': documents(sharedPolicies()),
    'base/certificates.yaml': documents(inProduction.filter(speaksRpc).map(certificate)),
    ...Object.fromEntries(
      inProduction.map((app) => [`base/${file(app)}`, documents(appManifests(app, version))]),
    ),
    'migrations/kustomization.yaml': kustomization({
      namespace: 'partner-reseller',
      resources: withDatabase.map(file),
    }),
    ...Object.fromEntries(
      withDatabase.map((app) => [`migrations/${file(app)}`, documents([migrationJob(app, version)])]),
    ),
    ...renderSimulator(simulator, version),
    ...renderKafka(topics),
  };
}

function renderKafka(topics: readonly Topic[]): Record<string, string> {
  const head = '# Written by `npm run manifests` out of topics.json beside it; change it there.\n';
  const hint =
    '# For Strimzi: put the name of your Kafka into the label. Topics come from topics.json as well.\n';
  return {
    '../kafka/users.yaml': head + hint + accessOf(topics).map(kafkaUser).map(yaml).join('---\n'),
    '../kafka/access.sh': accessScript(topics),
  };
}

function renderSimulator(apps: App[], version: string): Record<string, string> {
  return {
    'vendor-simulator/kustomization.yaml': kustomization({
      namespace: 'partner-reseller',
      resources: ['vendor-simulator.yaml', 'migration.yaml'],
      configMapGenerator: settings(apps),
    }),
    'vendor-simulator/vendor-simulator.yaml': documents(apps.flatMap((app) => appManifests(app, version))),
    'vendor-simulator/migration.yaml': documents(apps.map((app) => migrationJob(app, version))),
  };
}
