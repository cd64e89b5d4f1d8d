import { appendFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Client } from 'pg';
import { takeBaseBackup } from './base-backup';
import { clusterAccount } from './launch-plan';
import { ownCluster } from './own-cluster';

/** Of which running server, and where its standby is to be. */
interface StandbyPlan {
  /** The data directory of the primary, on this machine. */
  of: string;
  /** The new data directory; must not exist. */
  into: string;
  /** The primary's address, as a role that may replicate. */
  primary: string;
}

/**
 * Lays out a data directory whose server, once started with settings no smaller than the primary's, follows it and serves reads. The
 * primary has to keep its log until then. `client` is a superuser's, used by nobody else meanwhile.
 */
export async function makeStandby(client: Client, { of, into, primary }: StandbyPlan): Promise<void> {
  await takeBaseBackup(client, of, into);
  const { hostname, port, username, password } = new URL(primary);
  const login = { host: hostname, port, user: username, password: decodeURIComponent(password) };
  const conninfo = Object.entries(login)
    .map(([name, value]) => `${name}=${value}`)
    .join(' ');
  appendFileSync(path.join(into, 'postgresql.auto.conf'), `primary_conninfo = '${conninfo}'\n`);
  writeFileSync(path.join(into, 'standby.signal'), '');
  ownCluster(into, clusterAccount(into));
}
