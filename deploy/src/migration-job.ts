import type { IJob } from 'kubernetes-models/batch/v1';
import type { App } from './apps.ts';
import { image, labels, POD_SECURITY, SCRATCH, SECURITY } from './pods.ts';

/** The job that brings an app's database up to date, as its owner, and grants the app's own role what it needs. */
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
              env: ['DATABASE_MIGRATION_URL', 'DATABASE_RUNTIME_ROLE'].map((key) => ({
                name: key,
                valueFrom: { secretKeyRef: { name: `${app.name}-migrate`, key } },
              })),
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
