import type {
  INetworkPolicy,
  INetworkPolicyEgressRule,
  INetworkPolicyIngressRule,
  INetworkPolicyPort,
} from 'kubernetes-models/networking.k8s.io/v1';
import { APPS } from './apps.ts';
import type { App } from './apps.ts';
import { HEALTH_PORT, labels, PLATFORM, RPC_PORT, selector } from './pods.ts';

const tcp = (...ports: number[]): INetworkPolicyPort[] => ports.map((port) => ({ port, protocol: 'TCP' }));
const podsOf = (app: App) => ({ podSelector: { matchLabels: selector(app) } });
const namespace = (name: string) => ({
  namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': name } },
});
/** Stores may stand inside or outside of the cluster, so they are known by their ports; an overlay narrows it. */
const STORE_PORTS = { postgres: [5432], kafka: [9092, 9093], redis: [6379] };

/** Who may reach an app, and whom it may: callers and called, the outside where it has to, and nobody else. */
export function networkPolicy(app: App): INetworkPolicy {
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
