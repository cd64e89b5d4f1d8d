import { appendFileSync, cpSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { clusterAccount } from './launch-plan';
import { ownCluster } from './own-cluster';

/** From what a cluster is made again, and up to when. */
interface RestorePlan {
  /** The folder of a base backup. */
  backup: string;
  /** Where the log was archived. */
  archive: string;
  /** The new data directory; must not exist. */
  into: string;
  /** Up to this moment (the last transaction that committed by then); without it up to the end of what there is. */
  until?: Date;
  /** The pg_wal folder of the dead server where that outlived it: then nothing that was committed is lost. */
  survivingLog?: string;
}

/**
 * Lays out a data directory whose server, once started, replays the archived log up to the end (or `until`) and then serves
 * as a new timeline.
 */
export function restoreCluster(plan: RestorePlan): void {
  const into = path.resolve(plan.into);
  if (existsSync(into)) throw new Error(`${into} exists; a cluster is restored into a new directory`);
  cpSync(plan.backup, into, { recursive: true });
  mkdirSync(path.join(into, 'pg_wal'), { recursive: true });
  if (plan.survivingLog) cpSync(plan.survivingLog, path.join(into, 'pg_wal'), { recursive: true });
  const archive = path.resolve(plan.archive).replaceAll("'", "'\\''");
  const settings: Record<string, string> = {
    restore_command: `cp '${archive}/%f' "%p"`,
    recovery_target_timeline: 'latest',
    recovery_target_action: 'promote',
    // Not the Z of ISO 8601: names of zones are not known yet when the server reads this.
    ...(plan.until && { recovery_target_time: plan.until.toISOString().replace('Z', '+00') }),
  };
  const lines = Object.entries(settings).map(
    ([name, value]) => `${name} = '${value.replaceAll("'", "''")}'\n`,
  );
  appendFileSync(path.join(into, 'postgresql.auto.conf'), lines.join(''));
  writeFileSync(path.join(into, 'recovery.signal'), '');
  ownCluster(into, clusterAccount(into));
}
