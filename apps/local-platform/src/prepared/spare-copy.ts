import { copyCluster } from '@reseller/local-postgres';
import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import path from 'node:path';
import { warn } from '../console';
import { ROLES } from '../roles';
import { spareCopyOf } from './prepared-cluster';

const DRAFT = 'draft-';
/** A copy takes seconds: a draft so old was left by a process that died. */
const STALE_MS = 5 * 60_000;
/** After a start its first callers have the machine to themselves. */
const LATER_MS = 10_000;

/** Makes the copy of the prepared cluster that the next new data directory takes, unless there is one. */
export function makeSpareCopy(prepared: string): void {
  const spare = spareCopyOf(prepared);
  const folder = path.dirname(prepared);
  removeStaleDrafts(folder);
  if (existsSync(spare)) return;
  const draft = mkdtempSync(path.join(folder, DRAFT));
  try {
    const copy = path.join(draft, 'postgres');
    copyCluster(prepared, copy);
    renameSync(copy, spare);
  } catch (error) {
    // Two may make one at the same time.
    if (!existsSync(spare)) throw error;
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

function removeStaleDrafts(folder: string): void {
  for (const name of readdirSync(folder).filter((one) => one.startsWith(DRAFT))) {
    const draft = path.join(folder, name);
    const found = statSync(draft, { throwIfNoEntry: false });
    if (found && found.mtimeMs < Date.now() - STALE_MS) rmSync(draft, { recursive: true, force: true });
  }
}

/** Has the next spare copy made while nobody waits for it, by a process of the lowest priority. */
export class SpareCopyMaker {
  private timer: NodeJS.Timeout | undefined;
  private child: ChildProcess | undefined;

  constructor(private readonly bundle: string) {}

  startLater(): void {
    this.timer = setTimeout(() => this.start(), LATER_MS).unref();
  }

  stop(): void {
    clearTimeout(this.timer);
    this.child?.kill();
  }

  private start(): void {
    const child = spawn(process.execPath, [this.bundle, ROLES.prepareCluster], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    this.child = child;
    child.once('error', (error) => warn(`no copy of the prepared cluster is made: ${error.message}`));
    if (child.pid !== undefined) this.lowerPriority(child.pid);
  }

  /** A system that does not allow it costs the first callers some speed, and nobody the platform. */
  private lowerPriority(pid: number): void {
    try {
      setPriority(pid, constants.priority.PRIORITY_LOW);
    } catch (error) {
      warn(`the prepared cluster is copied at full speed: ${String(error)}`);
    }
  }
}
