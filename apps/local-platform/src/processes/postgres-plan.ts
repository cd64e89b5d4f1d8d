import path from 'node:path';
import type { DataDirectory } from '../data-directory';
import { SUPERVISOR_STOP_MS } from '../postgres/supervisor';
import { ROLES } from '../roles';
import type { ProcessPlan } from './managed-process';

/** PostgreSQL runs under a keeper, since by itself it would outlive the starter. */
export function postgresPlan(bundle: string, data: DataDirectory, port: number): ProcessPlan {
  return {
    name: 'postgres',
    script: bundle,
    args: [ROLES.keepPostgres, data.postgres, String(port)],
    env: () => process.env,
    logFile: path.join(data.logs, 'postgres.log'),
    stopMs: SUPERVISOR_STOP_MS + 2_000,
    reportsOwnPid: true,
  };
}
