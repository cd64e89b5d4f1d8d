import path from 'node:path';
import type { DataDirectory } from '../data-directory';
import { SUPERVISOR_STOP_MS } from '../postgres/supervisor';
import type { ProcessPlan } from './managed-process';

/** The argument that makes this app's own bundle the keeper of PostgreSQL. */
export const SUPERVISOR_ARGUMENT = 'keep-postgres';

/** PostgreSQL runs under a keeper, since by itself it would outlive the starter. */
export function postgresPlan(bundle: string, data: DataDirectory, port: number): ProcessPlan {
  return {
    name: 'postgres',
    script: bundle,
    args: [SUPERVISOR_ARGUMENT, data.postgres, String(port)],
    env: () => process.env,
    logFile: path.join(data.logs, 'postgres.log'),
    stopMs: SUPERVISOR_STOP_MS + 2_000,
    reportsOwnPid: true,
  };
}
