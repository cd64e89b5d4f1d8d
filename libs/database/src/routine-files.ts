import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** The one current definition of a function, with the triggers that run it. */
export interface RoutineFile {
  /** The function's name, which is the file's. */
  name: string;
  script: string;
  checksum: string;
}

/** The routines that belong to a directory of migrations: `routines/<name>.sql` beside it, by name; none where there is no such folder. */
export function readRoutines(migrations: string): RoutineFile[] {
  const directory = path.join(migrations, '../routines');
  if (!existsSync(directory)) return [];
  return readdirSync(directory)
    .filter((file) => file.endsWith('.sql'))
    .sort()
    .map((file) => {
      const script = readFileSync(path.join(directory, file), 'utf8');
      const checksum = createHash('sha256').update(script).digest('hex');
      return { name: path.basename(file, '.sql'), script, checksum };
    });
}
