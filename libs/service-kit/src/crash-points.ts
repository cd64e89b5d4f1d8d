import { existsSync, readFileSync, rmSync } from 'node:fs';

/** Marks a boundary by its name; returns, unless this process was set to die right there. */
export type PassCrashPoint = (point: string) => void;

/** Where a process is to be killed, for tests only. */
interface CrashSettings {
  /** Always at this boundary. */
  readonly point?: string | undefined;
  /** Once, at the boundary that this file names; the file is removed by the process that dies for it. */
  readonly file?: string | undefined;
}

/** Kills this process without any clean-up at the boundary of its settings; without settings every boundary is passed. */
export function crashAt({ point: chosen, file }: CrashSettings): PassCrashPoint {
  return (point) => {
    if (point === chosen || (file !== undefined && wasNamed(file, point))) {
      process.kill(process.pid, 'SIGKILL');
    }
  };
}

function wasNamed(file: string, point: string): boolean {
  if (!existsSync(file) || readFileSync(file, 'utf8').trim() !== point) return false;
  rmSync(file);
  return true;
}
