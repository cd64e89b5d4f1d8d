import { describe, expect, it } from '@jest/globals';
import { RPC_POLICIES } from '@reseller/contracts';
import { APPS } from '../src/apps';
import { settingsIn, type FileManifest } from '../src/kustomize-files';
import { everything, folder, ofKind } from './manifests';
import { settingsOf } from './settings';

/** Packages of protos that are not called like their app. */
const CONTRACT_NAMES: Record<string, string> = { 'orders-saga': 'orders', 'scent-commerce': 'scent' };

describe('who may reach whom', () => {
  interface Rule {
    from?: {
      podSelector?: { matchLabels: Record<string, string> };
      namespaceSelector?: { matchLabels: Record<string, string> };
    }[];
    to?: Rule['from'];
    ports?: { port: number }[];
  }
  type Policy = FileManifest & {
    spec: { podSelector: { matchLabels?: Record<string, string> }; ingress?: Rule[]; egress?: Rule[] };
  };
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
      const callers = Object.entries(RPC_POLICIES)
        .filter(([rpc]) => rpc.startsWith(owner))
        .flatMap(([, policy]) => policy.callers);
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
