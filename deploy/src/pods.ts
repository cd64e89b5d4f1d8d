import type { IPodSecurityContext, ISecurityContext } from 'kubernetes-models/v1';
import type { App, Port } from './apps.ts';

/** The platform's name in labels and images. */
export const PLATFORM = 'partner-reseller';
/** Where every service serves gRPC (deploy/Dockerfile). */
export const RPC_PORT: Port = { name: 'grpc', number: 7000, from: 'apps' };
/** Where every app responds for its health and metrics (deploy/Dockerfile). */
export const HEALTH_PORT = { name: 'health', number: 9090 };

/** By what an app's running pods differ from all others. */
export const selector = (app: App) => ({
  'app.kubernetes.io/name': app.name,
  'app.kubernetes.io/component': 'app',
});
/** The labels of all that belongs to an app. */
export const labels = (app: App, component: 'app' | 'migration' = 'app') => ({
  'app.kubernetes.io/name': app.name,
  'app.kubernetes.io/component': component,
  'app.kubernetes.io/part-of': PLATFORM,
});
/** The image of an app. */
export const image = (app: App, version: string): string => `${PLATFORM}/${app.name}:${version}`;

/** Nothing of a container may be written to or gained. */
export const SECURITY: ISecurityContext = {
  allowPrivilegeEscalation: false,
  readOnlyRootFilesystem: true,
  capabilities: { drop: ['ALL'] },
};
/** Who a pod's processes are. */
export const POD_SECURITY: IPodSecurityContext = {
  runAsNonRoot: true,
  runAsUser: 65532,
  runAsGroup: 65532,
  fsGroup: 65532,
  seccompProfile: { type: 'RuntimeDefault' },
};
/** Node.js keeps compiled code here between starts of a container. */
export const SCRATCH = {
  volumes: [{ name: 'tmp', emptyDir: { sizeLimit: '64Mi' } }],
  volumeMounts: [{ name: 'tmp', mountPath: '/tmp' }],
};
