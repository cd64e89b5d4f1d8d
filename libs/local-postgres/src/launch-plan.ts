import { spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import path from 'node:path';

/** How to start a program of PostgreSQL: as ourselves, or as somebody else where we are root. */
interface LaunchPlan {
  command: string;
  args: string[];
  uid?: number;
  gid?: number;
}

interface Account {
  uid: number;
  gid: number;
}

/** PostgreSQL refuses to run as root; root lends it an account that owns nothing. */
const accountNames = ['postgres', 'nobody'];

function idOf(flag: '-u' | '-g', name: string): number | undefined {
  const result = spawnSync('id', [flag, name], { encoding: 'utf8' });
  return result.status === 0 ? Number(result.stdout.trim()) : undefined;
}

function findAccount(): Account {
  for (const name of accountNames) {
    const uid = idOf('-u', name);
    const gid = idOf('-g', name);
    if (uid !== undefined && gid !== undefined) return { uid, gid };
  }
  throw new Error(
    'PostgreSQL does not run as root and there is no user postgres or nobody; start as another user',
  );
}

/** The account that PostgreSQL runs as, undefined for our own; whoever owns an existing cluster keeps it. */
export function clusterAccount(directory: string): Account | undefined {
  if (process.getuid?.() !== 0) return undefined;
  if (existsSync(directory)) {
    const { uid, gid } = statSync(directory);
    if (uid !== 0) return { uid, gid };
  }
  return findAccount();
}

function canTraverse(target: string, account: Account): boolean {
  for (let at = path.dirname(path.resolve(target)); ; at = path.dirname(at)) {
    const { mode, uid, gid } = statSync(at);
    const bit = uid === account.uid ? 0o100 : gid === account.gid ? 0o010 : 0o001;
    if ((mode & bit) === 0) return false;
    if (at === path.dirname(at)) return true;
  }
}

/**
 * Plans the start of a binary that works on a cluster's directory. A clone in a folder that only root may enter
 * (mktemp makes such) is out of reach for the lent account, so setpriv then lends the right to enter folders too.
 */
export function planLaunch(binary: string, args: string[], directory: string): LaunchPlan {
  const account = clusterAccount(directory);
  if (!account) return { command: binary, args };
  if (canTraverse(binary, account) && canTraverse(directory, account)) {
    return { command: binary, args, ...account };
  }
  const ids = [`--reuid=${account.uid}`, `--regid=${account.gid}`, '--clear-groups'];
  const rights = [
    '--securebits=+no_setuid_fixup',
    '--inh-caps=+dac_override',
    '--ambient-caps=+dac_override',
  ];
  return { command: 'setpriv', args: [...ids, ...rights, binary, ...args] };
}
