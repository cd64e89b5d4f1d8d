import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import type { PlatformDescription } from '../platform/platform-file';

/** The most connections that an instance has to its database, and to the event bus where that is one (docs/platform/scaling.md). */
const CONNECTIONS_OF_ONE = {
  identity: 11,
  finance: 11,
  'scent-commerce': 13,
  'orders-saga': 17,
  notifier: 12,
} as const;
const TO_THE_BUS = 6;
/** Each client does something so often, on average. */
const EVERY_MS = 20_000;
const AGAIN_MS = 500;

type Service = keyof typeof CONNECTIONS_OF_ONE;

/** Clients that stand at the pooler as so many instances more would, and now and then have a transaction each. */
export class Crowd {
  private isOver = false;
  private work: Promise<void>[] = [];
  /** Transactions that came to their end. */
  transactions = 0;

  constructor(private readonly platform: PlatformDescription) {}

  /** Opens the connections of `instances` of each service; resolves once all stand. */
  async gather(instances: number): Promise<void> {
    const urls = Object.keys(CONNECTIONS_OF_ONE).flatMap((service) => this.urlsOf(service as Service));
    const clients = Array.from({ length: instances }, () => urls).flat();
    const standing: Promise<void>[] = [];
    for (const url of clients) {
      standing.push(new Promise((resolve) => this.work.push(this.live(url, resolve))));
      // Each login costs the pooler some milliseconds of CPU, which everybody else waits for.
      await pause(10);
    }
    await Promise.all(standing);
  }

  async leave(): Promise<void> {
    this.isOver = true;
    await Promise.all(this.work);
  }

  private urlsOf(service: Service): string[] {
    const environment = readFileSync(`/proc/${this.platform.pids[service]}/environ`, 'utf8').split('\0');
    const valueOf = (name: string): string =>
      environment.find((line) => line.startsWith(`${name}=`))?.slice(name.length + 1) ?? '';
    const bus = valueOf('EVENT_BUS_URL');
    return [
      ...Array.from({ length: CONNECTIONS_OF_ONE[service] }, () => valueOf('DATABASE_URL')),
      ...(bus.startsWith('postgres') ? Array.from({ length: TO_THE_BUS }, () => bus) : []),
    ];
  }

  private async live(connectionString: string, onStanding: () => void): Promise<void> {
    while (!this.isOver) {
      const client = new pg.Client({ connectionString, connectionTimeoutMillis: 10_000 });
      let isBroken = false;
      client.on('error', () => (isBroken = true));
      client.on('end', () => (isBroken = true));
      try {
        await client.connect();
        while (!this.isOver && !isBroken) {
          onStanding();
          const nextAt = performance.now() + EVERY_MS * (0.5 + Math.random());
          while (!this.isOver && !isBroken && performance.now() < nextAt) await pause(AGAIN_MS);
          if (this.isOver || isBroken) break;
          await client.query('BEGIN; SELECT 1; COMMIT');
          this.transactions += 1;
        }
      } catch {
        await pause(AGAIN_MS * (1 + Math.random()));
      }
      await client.end().catch(() => undefined);
    }
  }
}
