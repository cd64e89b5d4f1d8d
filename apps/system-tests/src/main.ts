import { INNOCENT_ROLE, serveInnocent } from './abuse/innocent';
import { parseAbuseOptions } from './abuse/options';
import { runAbuse } from './abuse/run-abuse';
import { runAttack } from './attack/run-attack';
import { serveVendor, VENDOR_ROLE } from './bench/backlog-vendor';
import { parseOptions } from './bench/options';
import { runBench } from './bench/run-bench';
import { EXPRESS_ROLE, serveBareExpress } from './bench/yardsticks/bare-express';
import { DBOS_ROLE, serveDbos } from './bench/yardsticks/dbos';
import { FLOOR_ROLE, serveFloor } from './bench/yardsticks/topup-floor';
import { POSTER_ROLE, RECEIVER_ROLE, servePoster, serveReceiver } from './bench/webhook-processes';
import { parseBrownOutOptions } from './brown-out/options';
import { runBrownOuts } from './brown-out/run-brown-out';
import { parseMatrixOptions, runMatrix } from './crash/run-matrix';
import { checkOldVersions } from './old-version/check-old-versions';
import { LOAD_ROLE, serveLoad } from './overload/load-process';
import { parseOverloadOptions } from './overload/options';
import { runOverload } from './overload/run-overload';
import { takePictures } from './pictures/take-pictures';
import { parseScaleOptions } from './scale/options';
import { scaleOut } from './scale/run-scale-out';
import { parseDrillOptions, runDrills } from './restore/run-drills';
import { runSeed } from './seed/run-seed';
import { parseStrangersOptions } from './strangers/options';
import { runStrangers } from './strangers/run-strangers';
import { parseStormOptions, runStorms } from './storm/run-storms';

async function main([role, ...rest]: string[]): Promise<void> {
  if (role === EXPRESS_ROLE) return serveBareExpress();
  if (role === FLOOR_ROLE) return serveFloor();
  if (role === DBOS_ROLE) return serveDbos();
  if (role === RECEIVER_ROLE) return serveReceiver();
  if (role === POSTER_ROLE) return servePoster();
  if (role === INNOCENT_ROLE) return serveInnocent();
  if (role === 'abuse') {
    if (!(await runAbuse(parseAbuseOptions(rest)))) process.exitCode = 1;
    return;
  }
  if (role === 'attack') {
    if (!(await runAttack())) process.exitCode = 1;
    return;
  }
  if (role === 'screenshots') return takePictures();
  if (role === VENDOR_ROLE) return serveVendor();
  if (role === LOAD_ROLE) return serveLoad();
  if (role === 'overload') {
    if (!(await runOverload(parseOverloadOptions(rest)))) process.exitCode = 1;
    return;
  }
  if (role === 'crash-matrix') {
    if (!(await runMatrix(parseMatrixOptions(rest)))) process.exitCode = 1;
    return;
  }
  if (role === 'brown-out') {
    if (!(await runBrownOuts(parseBrownOutOptions(rest)))) process.exitCode = 1;
    return;
  }
  if (role === 'storm') {
    if (!(await runStorms(parseStormOptions(rest)))) process.exitCode = 1;
    return;
  }
  if (role === 'strangers') {
    if (!(await runStrangers(parseStrangersOptions(rest)))) process.exitCode = 1;
    return;
  }
  if (role === 'scale-out') {
    if (!(await scaleOut(parseScaleOptions(rest)))) process.exitCode = 1;
    return;
  }
  if (role === 'old-version-check') {
    if (!(await checkOldVersions(rest))) process.exitCode = 1;
    return;
  }
  if (role === 'restore-drill') {
    if (!(await runDrills(parseDrillOptions(rest)))) process.exitCode = 1;
    return;
  }
  if (role === 'seed-orders') return runSeed(rest);
  return runBench(parseOptions(role === undefined ? [] : [role, ...rest]));
}

main(process.argv.slice(2)).catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  process.exitCode = 1;
});
