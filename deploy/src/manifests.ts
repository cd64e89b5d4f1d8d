import type { IDeployment } from 'kubernetes-models/apps/v1';
import type { IHorizontalPodAutoscaler } from 'kubernetes-models/autoscaling/v2';
import type { INetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1';
import type { IPodDisruptionBudget } from 'kubernetes-models/policy/v1';
import type {
  IContainer,
  IProbe,
  IService,
  IServiceAccount,
  ITopologySpreadConstraint,
} from 'kubernetes-models/v1';
import { addressVariable, secretKey } from './apps.ts';
import type { App, Port } from './apps.ts';
import { brokerCaVolume, certificateVolume } from './certificates.ts';
import { networkPolicy } from './network-policies.ts';
import { HEALTH_PORT, image, labels, POD_SECURITY, RPC_PORT, SCRATCH, SECURITY, selector } from './pods.ts';

/** A manifest of the kinds below; a field that its kind does not have does not compile. */
export type Manifest =
  | IServiceAccount
  | IDeployment
  | IService
  | IPodDisruptionBudget
  | IHorizontalPodAutoscaler
  | INetworkPolicy;

/** Longest stop: not ready for SHUTDOWN_DELAY_MS, SHUTDOWN_GRACE_MS for what is under way, five seconds more; then some. */
const STOP_SECONDS = 45;

const portsOf = (app: App): Port[] => [...(app.servesRpc ? [RPC_PORT] : []), ...app.ports];

const secretVariable = (app: App, key: string) => {
  const { name, optional } = secretKey(key);
  const secretKeyRef = { name: app.name, key: name, ...(optional && { optional }) };
  return { name, valueFrom: { secretKeyRef } };
};

function serviceAccount(app: App): IServiceAccount {
  const metadata = { name: app.name, labels: labels(app) };
  return { apiVersion: 'v1', kind: 'ServiceAccount', metadata, automountServiceAccountToken: false };
}

const mountsOf = (app: App) => [SCRATCH, certificateVolume(app), brokerCaVolume(app)];

function container(app: App, version: string): IContainer {
  const ports = [...portsOf(app), HEALTH_PORT];
  const probe = (path: string, periodSeconds: number, failureThreshold: number): IProbe => ({
    httpGet: { path, port: HEALTH_PORT.name },
    periodSeconds,
    failureThreshold,
    timeoutSeconds: 3,
  });
  return {
    name: 'app',
    image: image(app, version),
    args: ['main.js'],
    envFrom: [
      { configMapRef: { name: 'platform-settings' } },
      { configMapRef: { name: `${app.name}-settings` } },
    ],
    env: app.secrets.map((key) => secretVariable(app, key)),
    ports: ports.map(({ name, number }) => ({ name, containerPort: number })),
    startupProbe: probe('/healthz', 1, 60),
    readinessProbe: probe('/readyz', 2, 2),
    livenessProbe: probe('/healthz', 10, 3),
    resources: {
      requests: { cpu: `${app.cpu}m`, memory: `${app.memory}Mi` },
      limits: { memory: `${app.memory}Mi` },
    },
    securityContext: SECURITY,
    volumeMounts: mountsOf(app).flatMap(({ volumeMounts }) => volumeMounts),
  };
}

function deployment(app: App, version: string): IDeployment {
  const spread = ['kubernetes.io/hostname', 'topology.kubernetes.io/zone'].map(
    (topologyKey): ITopologySpreadConstraint => ({
      maxSkew: 1,
      topologyKey,
      whenUnsatisfiable: 'ScheduleAnyway',
      labelSelector: { matchLabels: selector(app) },
    }),
  );
  const scrape = {
    'prometheus.io/scrape': 'true',
    'prometheus.io/port': String(HEALTH_PORT.number),
    'prometheus.io/path': '/metrics',
  };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: app.name, labels: labels(app) },
    spec: {
      // The number of replicas is the scaler's; where there is none, the least.
      ...(isScaled(app) ? {} : { replicas: app.replicas.least }),
      revisionHistoryLimit: 5,
      selector: { matchLabels: selector(app) },
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } },
      template: {
        metadata: { labels: labels(app), annotations: scrape },
        spec: {
          serviceAccountName: app.name,
          automountServiceAccountToken: false,
          enableServiceLinks: false,
          terminationGracePeriodSeconds: STOP_SECONDS,
          securityContext: POD_SECURITY,
          topologySpreadConstraints: spread,
          containers: [container(app, version)],
          volumes: mountsOf(app).flatMap(({ volumes }) => volumes),
        },
      },
    },
  };
}

/** Headless for gRPC: its connections last, so callers must see every pod and share their calls out themselves. */
function services(app: App): IService[] {
  const one = (name: string, ports: Port[], headless: boolean): IService => ({
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name, labels: labels(app) },
    spec: {
      ...(headless && { clusterIP: 'None' }),
      selector: selector(app),
      ports: ports.map((port) => ({ name: port.name, port: port.number, targetPort: port.name })),
    },
  });
  return [
    ...(app.servesRpc ? [one(app.name, [RPC_PORT], true)] : []),
    ...app.ports.map((port) => one(app.servesRpc ? `${app.name}-${port.name}` : app.name, [port], false)),
  ];
}

const isScaled = (app: App): boolean => app.replicas.most > app.replicas.least;

function disruptionBudget(app: App): IPodDisruptionBudget {
  return {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: { name: app.name, labels: labels(app) },
    spec: {
      maxUnavailable: 1,
      unhealthyPodEvictionPolicy: 'AlwaysAllow',
      selector: { matchLabels: selector(app) },
    },
  };
}

function autoscaler(app: App): IHorizontalPodAutoscaler {
  const cpu = { name: 'cpu', target: { type: 'Utilization', averageUtilization: 70 } };
  return {
    apiVersion: 'autoscaling/v2',
    kind: 'HorizontalPodAutoscaler',
    metadata: { name: app.name, labels: labels(app) },
    spec: {
      scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: app.name },
      minReplicas: app.replicas.least,
      maxReplicas: app.replicas.most,
      metrics: [{ type: 'Resource', resource: cpu }],
      behavior: { scaleDown: { stabilizationWindowSeconds: 300 } },
    },
  };
}

/** Everything that one app consists of. */
export function appManifests(app: App, version: string): Manifest[] {
  return [
    serviceAccount(app),
    deployment(app, version),
    ...services(app),
    ...(isScaled(app) ? [disruptionBudget(app), autoscaler(app)] : []),
    networkPolicy(app),
  ];
}

/** Settings of one app that are no secrets: its own, and where the services are that it asks. */
export function settingsOfApp(app: App): Record<string, string> {
  const addresses = app.calls.map((name) => [addressVariable(name), `${name}:${RPC_PORT.number}`]);
  return { ...app.settings, ...(Object.fromEntries(addresses) as Record<string, string>) };
}

/** True of apps with a database of their own. */
export const hasDatabase = (app: App): boolean => app.reaches.includes('postgres');
