import type { Pool } from 'pg';
import type { OwnedPartition, StoredEvent } from '../partition-store';

/** What a partition's worker has come to, and what it wants next. */
export interface Request {
  of: OwnedPartition;
  /** Everything before this offset is handled; null when nothing was since the last request. */
  committed: bigint | null;
  /** Whether attempts that are counted in the table are over. */
  resets: boolean;
  /** Where to read on. */
  segment: number;
  offset: bigint;
  limit: number;
}

/** An event, and in which segment of the log it lies. */
type LoggedEvent = StoredEvent & { segment: number };

interface Waiting {
  request: Request;
  resolve(events: LoggedEvent[] | undefined): void;
  reject(error: unknown): void;
}

/**
 * Gathers what the workers of a member ask for at the same time into one statement: one trip and one commit for many
 * partitions, and for the end of one batch together with the beginning of the next.
 */
export class Exchange {
  private waiting: Waiting[] = [];
  private isBusy = false;

  constructor(
    private readonly pool: Pool,
    private readonly group: string,
    private readonly memberId: string,
  ) {}

  /** Resolves with the next events, none when there are none, or undefined when the partition is another's. */
  request(request: Request): Promise<LoggedEvent[] | undefined> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ request, resolve, reject });
      this.schedule();
    });
  }

  private schedule(): void {
    if (this.isBusy || this.waiting.length === 0) return;
    this.isBusy = true;
    // After the I/O of this turn, so that workers that ended their batches together go together.
    setImmediate(() => {
      const some = this.waiting;
      this.waiting = [];
      void this.run(some).finally(() => {
        this.isBusy = false;
        this.schedule();
      });
    });
  }

  private async run(some: Waiting[]): Promise<void> {
    try {
      const results = await this.send(some.map(({ request }) => request));
      some.forEach(({ resolve }, n) => resolve(results[n]));
    } catch (error) {
      for (const { reject } of some) reject(error);
    }
  }

  private async send(requests: Request[]): Promise<(LoggedEvent[] | undefined)[]> {
    const { rows } = await this.pool.query<LoggedEvent & { place: number; eventId: string | null }>({
      name: 'event_bus_exchange',
      text: `SELECT * FROM event_bus.exchange($1, $2, $3::text[], $4::integer[], $5::bigint[], $6::bigint[], $7::boolean[],
                                               $8::integer[], $9::bigint[], $10::integer[])`,
      values: [
        this.group,
        this.memberId,
        requests.map(({ of }) => of.topic),
        requests.map(({ of }) => of.partition),
        requests.map(({ of }) => of.epoch),
        requests.map(({ committed }) => committed?.toString() ?? null),
        requests.map(({ resets }) => resets),
        requests.map(({ segment }) => segment),
        requests.map(({ offset }) => offset.toString()),
        requests.map(({ limit }) => limit),
      ],
    });
    const results = new Array<LoggedEvent[] | undefined>(requests.length).fill(undefined);
    for (const { place, ...event } of rows) {
      const events = (results[place - 1] ??= []);
      if (event.eventId !== null) events.push({ ...event, topic: requests[place - 1]?.of.topic ?? '' });
    }
    return results;
  }
}
