import { existsSync, readFileSync, rmSync } from 'node:fs';

/** Marks a boundary by its name; passes it, unless this process was set to die right there, or whoever comes there to go no further. */
export type PassCrashPoint = (point: string) => Promise<void>;

/** Where a process is to be killed, for tests only. */
interface CrashSettings {
  /** Always at this boundary. */
  readonly point?: string | undefined;
  /**
   * Once, at the boundary that this file names. With the word `hold` behind the name the process lives on, and only what came to the
   * boundary goes no further, so that one kill can end work that stands at many of them. The file is removed by who did as it says.
   */
  readonly file?: string | undefined;
}

const PASSED = Promise.resolve();
const HELD = new Promise<void>(() => undefined);

/** Kills this process without any clean-up at the boundary of its settings; without settings every boundary is passed. */
export function crashAt({ point: chosen, file }: CrashSettings): PassCrashPoint {
  return (point) => {
    const due = file === undefined ? undefined : takeDue(file, point);
    if (due === 'hold') return HELD;
    if (due === 'die' || point === chosen) process.kill(process.pid, 'SIGKILL');
    return PASSED;
  };
}

/** What the file says of this boundary, which it says once. */
function takeDue(file: string, point: string): 'die' | 'hold' | undefined {
  if (!existsSync(file)) return undefined;
  const [named, word] = readFileSync(file, 'utf8').trim().split(' ');
  if (named !== point) return undefined;
  rmSync(file);
  return word === 'hold' ? 'hold' : 'die';
}
