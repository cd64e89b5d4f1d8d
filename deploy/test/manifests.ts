import path from 'node:path';
import { makeSecrets } from '../make-secrets.mjs';
import { collect, type FileManifest } from '../src/kustomize-files';
import { PLACEHOLDERS, ROOT } from './settings';

/** The folder of the manifests, and of one kustomization in it. */
export const kubernetes = path.join(ROOT, 'deploy/kubernetes');
export const folder = (name: string): string => path.join(kubernetes, name);

/** A container as the tests look at it. */
export interface Container {
  name: string;
  image: string;
  args: string[];
  env?: { name: string; valueFrom?: { secretKeyRef?: { name: string; key: string; optional?: boolean } } }[];
  envFrom?: { configMapRef?: { name: string }; secretRef?: { name: string } }[];
  ports?: { name: string; containerPort: number }[];
  resources: { requests: { cpu: string; memory: string }; limits: { memory: string } };
  securityContext: object;
  volumeMounts?: { name: string; mountPath: string; readOnly?: boolean }[];
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
    volumes?: { name: string; secret?: { secretName: string } }[];
  };
}
/** A Deployment or a Job. */
export interface Workload extends FileManifest {
  spec: { selector: { matchLabels: Record<string, string> }; template: PodTemplate };
}

/** Every manifest that is written out of the table. */
export const everything = [
  ...collect(folder('base')),
  ...collect(folder('migrations')),
  ...collect(folder('vendor-simulator')),
];
/** Those of one kind. */
export const ofKind = <T = FileManifest>(manifests: FileManifest[], kind: string): T[] =>
  manifests.filter((each) => each.kind === kind) as T[];
export const deployments = ofKind<Workload>(everything, 'Deployment');
export const jobs = ofKind<Workload>(everything, 'Job');
/** The Deployment of an app. */
export const deploymentOf = (app: string): Workload => {
  const found = deployments.find(({ metadata }) => metadata.name === app);
  if (!found) throw new Error(`there is no Deployment ${app}`);
  return found;
};
/** The one container of a workload. */
export const containerOf = (workload: Workload): Container => {
  const [container] = workload.spec.template.spec.containers;
  if (!container) throw new Error(`${workload.metadata.name} has no container`);
  return container;
};
/** Whether labels fulfil a selector. */
export const isSubset = (wanted: Record<string, string>, labels: Record<string, string>): boolean =>
  Object.entries(wanted).every(([name, value]) => labels[name] === value);

/** A value of the right shape for a secret of this name. */
export function placeholder(name: string): string {
  const made = makeSecrets() as Record<string, string>;
  const given: Record<string, string> = {
    DATABASE_URL: 'postgresql://role:password@postgres.example.com:5432/database',
    DATABASE_DIRECT_URL: 'postgresql://role:password@postgres.example.com:5432/database',
    DATABASE_REPLICA_URL: 'postgresql://role:password@postgres.example.com:5432/database',
    REDIS_URL: 'rediss://default:password@redis.example.com:6379',
    SMTP_URL: 'smtps://user:password@mail.example.com:465',
    VENDORS: '[]',
    KAFKA_SASL_USERNAME: 'user',
    KAFKA_SASL_PASSWORD: 'password',
  };
  const value = given[name] ?? PLACEHOLDERS[name] ?? made[name];
  if (!value) throw new Error(`no placeholder for ${name}`);
  return value;
}
