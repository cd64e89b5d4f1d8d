import { INNOCENT_ROLE, serveInnocent } from './abuse/innocent';
import { serveVendor, VENDOR_ROLE } from './bench/backlog-vendor';
import { POSTER_ROLE, RECEIVER_ROLE, servePoster, serveReceiver } from './bench/webhook-processes';
import { EXPRESS_ROLE, serveBareExpress } from './bench/yardsticks/bare-express';
import { DBOS_ROLE, serveDbos } from './bench/yardsticks/dbos';
import { FLOOR_ROLE, serveFloor } from './bench/yardsticks/topup-floor';
import { LOAD_ROLE, serveLoad } from './overload/load-process';
import { PROGRAMS, type Program } from './programs';

/** What a program starts of this file as processes of their own. */
const ROLES: Readonly<Record<string, () => void>> = {
  [EXPRESS_ROLE]: serveBareExpress,
  [FLOOR_ROLE]: serveFloor,
  [DBOS_ROLE]: serveDbos,
  [RECEIVER_ROLE]: serveReceiver,
  [POSTER_ROLE]: servePoster,
  [INNOCENT_ROLE]: serveInnocent,
  [VENDOR_ROLE]: serveVendor,
  [LOAD_ROLE]: serveLoad,
};

async function main([name = '', ...args]: string[]): Promise<void> {
  const serve = ROLES[name];
  if (serve) return serve();
  const run = readCommand(name, args);
  if (run && (await run()) !== false) return;
  process.exitCode = 1;
}

/** Undefined where the caller has something to mend, which it says. */
function readCommand(name: string, args: string[]): ReturnType<Program> | undefined {
  try {
    const program = PROGRAMS[name];
    if (!program) throw new Error(`there is no program ${name}, but ${Object.keys(PROGRAMS).join(', ')}`);
    return program(args);
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`);
    return undefined;
  }
}

main(process.argv.slice(2)).catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  process.exitCode = 1;
});
