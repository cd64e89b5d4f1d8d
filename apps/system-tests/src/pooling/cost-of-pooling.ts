import { CostSubject, newCost, type Cost } from '../bench/cost/cost-subject';
import { say } from '../bench/measure';
import { makePartners } from '../bench/partners';
import { placeTopups } from '../bench/topup-load';
import { PGBOUNCER } from './pgbouncer';

const PARTNERS = 8;
const CONNECTIONS = 16;
const ROUNDS = 3;

const KINDS = {
  'without a pooler': {},
  'through PgBouncer': { PGBOUNCER_BIN: PGBOUNCER },
} as const;

/** Places top-ups with and without a pooler, in turn, and prints what each costs; returns what failed. */
export async function comparePooling(seconds: number): Promise<string[]> {
  const subjects: {
    kind: string;
    subject: CostSubject;
    run: (seconds: number) => ReturnType<typeof placeTopups>;
    cost: Cost;
  }[] = [];
  try {
    for (const [kind, env] of Object.entries(KINDS)) {
      const subject = await CostSubject.start(env);
      const partners = (await makePartners(subject.platform, PARTNERS)).map(({ live }) => live);
      const { gatewayUrl } = subject.platform.description;
      const run = (long: number): ReturnType<typeof placeTopups> =>
        placeTopups({ gatewayUrl, partners, connections: CONNECTIONS, seconds: long });
      subjects.push({ kind, subject, run, cost: newCost() });
    }
    for (const { subject, run, cost } of subjects) await subject.warmUp(run, cost);
    for (let round = 0; round < ROUNDS; round += 1)
      for (const { subject, run, cost } of subjects) await subject.measure(run, seconds, cost);
  } finally {
    for (const { subject } of subjects) await subject.stop();
  }
  for (const { kind, cost } of subjects) say(`  ${kind}: ${describe(cost)}`);
  return subjects
    .filter(({ cost }) => cost.failures > 0)
    .map(({ kind, cost }) => `${cost.failures} top-ups failed ${kind}`);
}

function describe({ count, seconds, cpuMs }: Cost): string {
  const spent = (isCounted: (name: string) => boolean): string =>
    ([...cpuMs].filter(([name]) => isCounted(name)).reduce((sum, [, ms]) => sum + ms, 0) / count).toFixed(2);
  const isPostgres = (name: string): boolean => name.startsWith('PostgreSQL');
  const isPooler = (name: string): boolean => name === 'pgbouncer';
  return (
    `${(count / seconds).toFixed(0)} top-ups/s; CPU of one: ${spent(() => true)} ms, of which ` +
    `PostgreSQL ${spent(isPostgres)}, PgBouncer ${spent(isPooler)}, processes of Node.js ${spent(
      (name) => !isPostgres(name) && !isPooler(name),
    )}`
  );
}
