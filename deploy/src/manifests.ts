import type { IDeployment } from 'kubernetes-models/apps/v1';
import type { IHorizontalPodAutoscaler } from 'kubernetes-models/autoscaling/v2';
import type { IJob } from 'kubernetes-models/batch/v1';
import type {
  INetworkPolicy,
  INetworkPolicyEgressRule,
  INetworkPolicyIngressRule,
  INetworkPolicyPort,
} from 'kubernetes-models/networking.k8s.io/v1';
import type { IPodDisruptionBudget } from 'kubernetes-models/policy/v1';
import type {
  IContainer,
  IPodSecurityContext,
  IProbe,
  ISecurityContext,
  IService,
  IServiceAccount,
  ITopologySpreadConstraint,
} from 'kubernetes-models/v1';
import { addressVariable, APPS, secretKey } from './apps.ts';
import type { App, Port } from './apps.ts';

/** A manifest of the kinds below; a field that its kind does not have does not compile. */
export type Manifest =
  | IServiceAccount
  | IDeployment
  | IService
  | IPodDisruptionBudget
  | IHorizontalPodAutoscaler
  | INetworkPolicy
  | IJob;

const PLATFORM = 'partner-reseller';
const RPC_PORT: Port = { name: 'grpc', number: 7000, from: 'apps' };
const HEALTH_PORT = { name: 'health', number: 9090 };
/** Longest stop: not ready for SHUTDOWN_DELAY_MS, SHUTDOWN_GRACE_MS for what is under way, five seconds more; then some. */
const STOP_SECONDS = 45;

const selector = (app: App) => ({ 'app.kubernetes.io/name': app.name, 'app.kubernetes.io/component': 'app' });
const labels = (app: App, component: 'app' | 'migration' = 'app') => ({
  'app.kubernetes.io/name': app.name,
  'app.kubernetes.io/component': component,
  'app.kubernetes.io/part-of': PLATFORM,
});
const image = (app: App, version: string): string => `${PLATFORM}/${app.name}:${version}`;
const portsOf = (app: App): Port[] => [...(app.servesRpc ? [RPC_PORT] : []), ...app.ports];

/** Nothing of a container may be written to or gained; the image's user has a number. */
const SECURITY: ISecurityContext = {
  allowPrivilegeEscalation: false,
  readOnlyRootFilesystem: true,
  capabilities: { drop: ['ALL'] },
};
const POD_SECURITY: IPodSecurityContext = {
  runAsNonRoot: true,
  runAsUser: 65532,
  runAsGroup: 65532,
  fsGroup: 65532,
  seccompProfile: { type: 'RuntimeDefault' },
};
/** Node.js keeps compiled code here between starts of a container. */
const SCRATCH = {
  volumes: [{ name: 'tmp', emptyDir: { sizeLimit: '64Mi' } }],
  volumeMounts: [{ name: 'tmp', mountPath: '/tmp' }],
};

const secretVariable = (app: App, key: string, variable?: string) => {
  const { name, optional } = secretKey(key);
  const secretKeyRef = { name: app.name, key: name, ...(optional && { optional }) };
  return { name: variable ?? name, valueFrom: { secretKeyRef } };
};

function serviceAccount(app: App): IServiceAccount {
  const metadata = { name: app.name, labels: labels(app) };
  return { apiVersion: 'v1', kind: 'ServiceAccount', metadata, automountServiceAccountToken: false };
}

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
    volumeMounts: SCRATCH.volumeMounts,
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
          volumes: SCRATCH.volumes,
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

const tcp = (...ports: number[]): INetworkPolicyPort[] => ports.map((port) => ({ port, protocol: 'TCP' }));
const podsOf = (app: App) => ({ podSelector: { matchLabels: selector(app) } });
const namespace = (name: string) => ({
  namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': name } },
});
/** Stores may stand inside or outside of the cluster, so they are known by their ports; an overlay narrows it. */
const STORE_PORTS = { postgres: [5432], kafka: [9092, 9093], redis: [6379] };

function networkPolicy(app: App): INetworkPolicy {
  const callers = APPS.filter((other) => other.calls.includes(app.name));
  const ingress: INetworkPolicyIngressRule[] = [
    ...(callers.length > 0 ? [{ from: callers.map(podsOf), ports: tcp(RPC_PORT.number) }] : []),
    ...app.ports
      .filter(({ from }) => from === 'ingress')
      .map(({ number }) => ({ from: [namespace('ingress-nginx')], ports: tcp(number) })),
    { from: [namespace('monitoring')], ports: tcp(HEALTH_PORT.number) },
  ];
  const called = APPS.filter(({ name }) => app.calls.includes(name));
  const stores = app.reaches.filter((store) => store !== 'internet').flatMap((store) => STORE_PORTS[store]);
  const egress: INetworkPolicyEgressRule[] = [
    ...(called.length > 0 ? [{ to: called.map(podsOf), ports: tcp(RPC_PORT.number) }] : []),
    ...(stores.length > 0 ? [{ ports: tcp(...stores) }] : []),
    ...(app.reaches.includes('internet') ? [{ to: [{ ipBlock: PUBLIC_ADDRESSES }] }] : []),
  ];
  return {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    metadata: { name: app.name, labels: labels(app) },
    spec: {
      podSelector: { matchLabels: selector(app) },
      policyTypes: ['Ingress', 'Egress'],
      ingress,
      egress,
    },
  };
}

/** Vendors, receivers of webhooks and mail servers: outside, not our own networks. */
const PUBLIC_ADDRESSES = {
  cidr: '0.0.0.0/0',
  except: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '100.64.0.0/10', '169.254.0.0/16'],
};

/** What every pod of the platform may do, and nothing else unless its own policy says so. */
export function sharedPolicies(): INetworkPolicy[] {
  const everyone = { matchLabels: { 'app.kubernetes.io/part-of': PLATFORM } };
  const policy = (name: string, spec: INetworkPolicy['spec']): INetworkPolicy => ({
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    metadata: { name, labels: { 'app.kubernetes.io/part-of': PLATFORM } },
    spec,
  });
  return [
    policy('default-deny', { podSelector: {}, policyTypes: ['Ingress', 'Egress'] }),
    policy('name-server', {
      podSelector: everyone,
      policyTypes: ['Egress'],
      egress: [
        {
          to: [namespace('kube-system')],
          ports: [
            { port: 53, protocol: 'UDP' },
            { port: 53, protocol: 'TCP' },
          ],
        },
      ],
    }),
    policy('migrations', {
      podSelector: { matchLabels: { ...everyone.matchLabels, 'app.kubernetes.io/component': 'migration' } },
      policyTypes: ['Egress'],
      egress: [{ ports: tcp(...STORE_PORTS.postgres) }],
    }),
    policy('traces', {
      podSelector: everyone,
      policyTypes: ['Egress'],
      egress: [{ to: [namespace('monitoring')], ports: tcp(4318) }],
    }),
  ];
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

/** The job that brings an app's database up to date: the same image, no secret but its database's. */
export function migrationJob(app: App, version: string): IJob {
  const hook = {
    'argocd.argoproj.io/hook': 'PreSync',
    'argocd.argoproj.io/hook-delete-policy': 'BeforeHookCreation',
  };
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name: `${app.name}-migrate`, labels: labels(app, 'migration'), annotations: hook },
    spec: {
      backoffLimit: 3,
      activeDeadlineSeconds: 3600,
      ttlSecondsAfterFinished: 86_400,
      template: {
        metadata: { labels: labels(app, 'migration') },
        spec: {
          automountServiceAccountToken: false,
          enableServiceLinks: false,
          restartPolicy: 'Never',
          securityContext: POD_SECURITY,
          containers: [
            {
              name: 'migrate',
              image: image(app, version),
              args: ['migrate.js'],
              env: [
                {
                  name: 'DATABASE_URL',
                  valueFrom: { secretKeyRef: { name: `${app.name}-migrate`, key: 'DATABASE_URL' } },
                },
              ],
              resources: { requests: { cpu: '100m', memory: '320Mi' }, limits: { memory: '320Mi' } },
              securityContext: SECURITY,
              volumeMounts: SCRATCH.volumeMounts,
            },
          ],
          volumes: SCRATCH.volumes,
        },
      },
    },
  };
}

/** True of apps with a database of their own. */
export const hasDatabase = (app: App): boolean => app.reaches.includes('postgres');
