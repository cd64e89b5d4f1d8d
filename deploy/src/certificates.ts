import { stringify } from 'yaml';
import type { App } from './apps.ts';

const MOUNT = '/var/run/rpc-tls';

/** A certificate of cert-manager for an app: known by its name (GRPC_TLS_PEER_NAME), good for asking and answering. */
export function certificate(app: App): object {
  return {
    apiVersion: 'cert-manager.io/v1',
    kind: 'Certificate',
    metadata: { name: `${app.name}-rpc` },
    spec: {
      secretName: `${app.name}-rpc`,
      dnsNames: [app.name],
      duration: '168h',
      renewBefore: '84h',
      usages: ['digital signature', 'server auth', 'client auth'],
      privateKey: { algorithm: 'ECDSA', size: 256, rotationPolicy: 'Always' },
      issuerRef: { name: 'partner-reseller-rpc', kind: 'Issuer' },
    },
  };
}

/** The patch that gives an app its certificate and says where it is. */
export function certificateMount(app: App): { target: object; patch: string } {
  const file = (variable: string, name: string) => ({ name: variable, value: `${MOUNT}/${name}` });
  const patch = {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: app.name },
    spec: {
      template: {
        spec: {
          containers: [
            {
              name: 'app',
              env: [
                file('GRPC_TLS_CERT_FILE', 'tls.crt'),
                file('GRPC_TLS_KEY_FILE', 'tls.key'),
                file('GRPC_TLS_CA_FILE', 'ca.crt'),
              ],
              volumeMounts: [{ name: 'rpc-tls', mountPath: MOUNT, readOnly: true }],
            },
          ],
          volumes: [{ name: 'rpc-tls', secret: { secretName: `${app.name}-rpc`, defaultMode: 0o440 } }],
        },
      },
    },
  };
  return { target: { kind: 'Deployment', name: app.name }, patch: stringify(patch, { lineWidth: 0 }) };
}
