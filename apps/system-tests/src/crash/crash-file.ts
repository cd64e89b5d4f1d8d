import { existsSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { until } from '../until';

/** The file that names the point at which orders-saga dies next (CRASH_POINT_FILE); it dies once, and the file is gone. */
export class CrashFile {
  constructor(private readonly file: string) {}

  /** Names the boundary at which the next death is due. */
  arm(point: string): void {
    // By rename, so that no boundary reads half a name.
    writeFileSync(`${this.file}.new`, point);
    renameSync(`${this.file}.new`, this.file);
  }

  /** Whether the death is still due. */
  get isArmed(): boolean {
    return existsSync(this.file);
  }

  /** Takes the order back. */
  disarm(): void {
    rmSync(this.file, { force: true });
  }
}

/** Waits until orders-saga has died at the boundary that was named to it. */
export const untilDead = (point: string, crashFile: CrashFile): Promise<true> =>
  until(`orders-saga dies at ${point}`, () => !crashFile.isArmed, 20_000);
