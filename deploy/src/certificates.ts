import type { IVolume, IVolumeMount } from 'kubernetes-models/v1';
import type { App } from './apps.ts';
import { BROKER_CA_MOUNT, CERTIFICATE_MOUNT } from './certificate-files.ts';

/** Whether an app calls or serves RPCs, and so has a certificate. */
export const speaksRpc = ({ servesRpc, calls }: App): boolean => servesRpc || calls.length > 0;

/** The Secret with an app's tls.crt, tls.key and ca.crt, whoever makes it. */
const secretName = ({ name }: App): string => `${name}-rpc`;

/** A certificate of cert-manager for an app: known by its name (GRPC_TLS_PEER_NAME), for both sides of a call. */
export function certificate(app: App): object {
  return {
    apiVersion: 'cert-manager.io/v1',
    kind: 'Certificate',
    metadata: { name: secretName(app) },
    spec: {
      secretName: secretName(app),
      dnsNames: [app.name],
      duration: '168h',
      renewBefore: '84h',
      usages: ['digital signature', 'server auth', 'client auth'],
      privateKey: { algorithm: 'ECDSA', size: 256, rotationPolicy: 'Always' },
      issuerRef: { name: 'partner-reseller-rpc', kind: 'Issuer' },
    },
  };
}

/** Where a pod's certificate comes from and goes to; a pod whose Secret is missing waits for it. */
export function certificateVolume(app: App): { volumes: IVolume[]; volumeMounts: IVolumeMount[] } {
  if (!speaksRpc(app)) return { volumes: [], volumeMounts: [] };
  const secret = { secretName: secretName(app), defaultMode: 0o440 };
  return {
    volumes: [{ name: 'rpc-tls', secret }],
    volumeMounts: [{ name: 'rpc-tls', mountPath: CERTIFICATE_MOUNT, readOnly: true }],
  };
}

/** Where a pod finds who signed the brokers' certificates; without the Secret `kafka-ca` Node.js's own list counts. */
export function brokerCaVolume(app: App): { volumes: IVolume[]; volumeMounts: IVolumeMount[] } {
  if (!app.reaches.includes('kafka')) return { volumes: [], volumeMounts: [] };
  return {
    volumes: [{ name: 'kafka-ca', secret: { secretName: 'kafka-ca', optional: true } }],
    volumeMounts: [{ name: 'kafka-ca', mountPath: BROKER_CA_MOUNT, readOnly: true }],
  };
}
