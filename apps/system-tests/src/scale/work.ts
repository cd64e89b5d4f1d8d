import { allInstances } from '../platform/instances';

/** What one instance has done, by what is counted of it. */
export type Work = Record<string, number>;

/** A column of the table: the metric's samples that are summed, and the services that must all have some. */
interface Measure {
  readonly name: string;
  readonly sample: RegExp;
  readonly services: readonly string[];
}

const SERVICES = ['identity', 'finance', 'orders-saga', 'scent-commerce', 'notifier'];

const MEASURES: readonly Measure[] = [
  {
    name: 'HTTP',
    sample: /^http_request_duration_seconds_count\{.*route="\/(?:api|ops)\//,
    services: ['gateway', 'backoffice'],
  },
  { name: 'RPCs served', sample: /^rpc_server_duration_seconds_count\{/, services: SERVICES },
  {
    name: 'saga calls',
    sample: /^rpc_client_duration_seconds_count\{.*service="orders-saga"/,
    services: ['orders-saga'],
  },
  {
    name: 'polls',
    sample: /^job_runs_total\{.*job_name="saga-recovery".*outcome="ok"/,
    services: ['orders-saga'],
  },
  {
    name: 'relayed',
    sample: /^outbox_published_total/,
    services: ['finance', 'orders-saga', 'scent-commerce'],
  },
  {
    name: 'events handled',
    sample: /^event_bus_handled_total\{/,
    services: ['notifier', 'finance'],
  },
  { name: 'attempts', sample: /^webhook_attempt_duration_seconds_count/, services: ['notifier'] },
];

const OWNED = { name: 'partitions', sample: /^event_bus_partitions_owned\{/ };
/** What an instance does between the last look and its death is not counted; each look has every instance write out its metrics. */
const EVERY_MS = 2_000;
/** Of less, chance may leave one of several without any. */
const MUCH = 30;

/** Watches what every instance does, over its deaths: what a process counted until it died stays counted. */
export class WorkWatch {
  private readonly lives = new Map<string, Work>();
  private owned: Work = {};
  private timer: NodeJS.Timeout | undefined;
  private reading: Promise<void> = Promise.resolve();

  start(): void {
    this.timer = setInterval(() => {
      this.reading = this.reading.then(() => this.read());
    }, EVERY_MS);
  }

  async stop(): Promise<void> {
    clearInterval(this.timer);
    await this.reading;
    await this.read();
  }

  /** By instance, all lives together; the partitions are those of now. */
  table(): Map<string, Work> {
    const table = new Map<string, Work>();
    for (const { name, service } of allInstances()) {
      const row: Work = {};
      for (const { name: measure, services } of MEASURES) {
        if (!services.includes(service)) continue;
        row[measure] = [...this.lives]
          .filter(([life]) => life.startsWith(`${name}/`))
          .reduce((sum, [, work]) => sum + (work[measure] ?? 0), 0);
      }
      if (this.owned[name] !== undefined) row[OWNED.name] = this.owned[name];
      table.set(name, row);
    }
    return table;
  }

  /** The instances that were idle at what others of their service did much of, or that own no partition. */
  idle(): string[] {
    const table = this.table();
    const service = (name: string): string => name.replace(/-\d+$/, '');
    const idle = [...table].flatMap(([name, row]) =>
      Object.entries(row).flatMap(([measure, amount]) => {
        if (amount > 0 || measure === OWNED.name) return [];
        const all = [...table].filter(([other]) => service(other) === service(name));
        const total = all.reduce((sum, [, { [measure]: one = 0 }]) => sum + one, 0);
        return total < MUCH ? [] : [`${name} had no part in ${total} ${measure}`];
      }),
    );
    return [...idle, ...this.idlePartitions()];
  }

  /** The instances of consuming services that own no partition now. */
  idlePartitions(): string[] {
    return Object.entries(this.owned).flatMap(([name, owned]) =>
      owned > 0 ? [] : [`${name} owns no partition`],
    );
  }

  private async read(): Promise<void> {
    const owned: Work = {};
    await Promise.all(
      allInstances().map(async ({ name, pid, healthUrl }) => {
        const text = await fetch(`${healthUrl}/metrics`, { signal: AbortSignal.timeout(2_000) })
          .then((response) => response.text())
          .catch(() => undefined);
        if (text === undefined) return;
        const lines = text.split('\n');
        const work = Object.fromEntries(MEASURES.map(({ name: one, sample }) => [one, sumOf(lines, sample)]));
        this.lives.set(`${name}/${pid}`, work);
        if (lines.some((line) => OWNED.sample.test(line))) owned[name] = sumOf(lines, OWNED.sample);
      }),
    );
    this.owned = owned;
  }
}

function sumOf(lines: readonly string[], sample: RegExp): number {
  return lines
    .filter((line) => sample.test(line))
    .reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' ') + 1)), 0);
}
