import { parseAbuseOptions } from './abuse/options';
import { runAbuse } from './abuse/run-abuse';
import { runAttack } from './attack/run-attack';
import { parseOptions } from './bench/options';
import { runBench } from './bench/run-bench';
import { parseBrownOutOptions } from './brown-out/options';
import { runBrownOuts } from './brown-out/run-brown-out';
import { parseCapacityOptions, runCapacity } from './capacity/run-capacity';
import { parseFailoverOptions, runFailovers } from './failover/run-failovers';
import { parseMatrixOptions, runMatrix } from './crash/run-matrix';
import { parseReconcileDrillOptions, runReconcileDrill } from './growth/reconcile-under-load';
import { parseGrowthOptions } from './growth/growth-options';
import { runGrowth } from './growth/run-growth';
import { parseKafkaDrillOptions, runKafkaDrills } from './kafka/run-kafka-drill';
import { checkOldVersions, parseOldVersionOptions } from './old-version/check-old-versions';
import { parseOverloadOptions } from './overload/options';
import { runOverload } from './overload/run-overload';
import { takePictures } from './pictures/take-pictures';
import { parsePoolingOptions, runPooling } from './pooling/run-pooling';
import { parseReplicaOptions, runReplicaDrill } from './replica/run-replica-drill';
import { parseDrillOptions, runDrills } from './restore/run-drills';
import { parseScaleOptions } from './scale/options';
import { scaleOut } from './scale/run-scale-out';
import { parseSeedOptions, runSeed } from './seed/run-seed';
import { parseStandstillOptions, runStandstillDrill } from './standstill/run-standstill';
import { parseStormOptions, runStorms } from './storm/run-storms';
import { parseStrangersOptions } from './strangers/options';
import { runStrangers } from './strangers/run-strangers';

/** Reads a command line, throwing where it cannot be right, and returns the work; that comes to false when something failed. */
export type Program = (args: string[]) => () => Promise<boolean | void>;

const program =
  <Options>(
    parse: (args: string[]) => Options,
    run: (options: Options) => Promise<boolean | void>,
  ): Program =>
  (args) => {
    const options = parse(args);
    return () => run(options);
  };

/** What is measured and tried out beside `npm test`, by the name in package.json's scripts. */
export const PROGRAMS: Readonly<Record<string, Program>> = {
  abuse: program(parseAbuseOptions, runAbuse),
  attack: () => runAttack,
  bench: program(parseOptions, runBench),
  'brown-out': program(parseBrownOutOptions, runBrownOuts),
  capacity: program(parseCapacityOptions, runCapacity),
  'crash-matrix': program(parseMatrixOptions, runMatrix),
  'failover-drill': program(parseFailoverOptions, runFailovers),
  'growth-drill': program(parseGrowthOptions, runGrowth),
  'kafka-drill': program(parseKafkaDrillOptions, runKafkaDrills),
  'old-version-check': program(parseOldVersionOptions, checkOldVersions),
  overload: program(parseOverloadOptions, runOverload),
  'pooling-drill': program(parsePoolingOptions, runPooling),
  'reconcile-drill': program(parseReconcileDrillOptions, runReconcileDrill),
  'replica-drill': program(parseReplicaOptions, runReplicaDrill),
  'restore-drill': program(parseDrillOptions, runDrills),
  'scale-out': program(parseScaleOptions, scaleOut),
  screenshots: () => takePictures,
  'seed-orders': program(parseSeedOptions, runSeed),
  'standstill-drill': program(parseStandstillOptions, runStandstillDrill),
  storm: program(parseStormOptions, runStorms),
  strangers: program(parseStrangersOptions, runStrangers),
};
