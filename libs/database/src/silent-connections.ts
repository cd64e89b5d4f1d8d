import type { Socket } from 'node:net';
import type { Logger } from 'pino';
import { Client, type ClientConfig, type Pool, type PoolClient } from 'pg';

const LOOK_MS = 500;
/** In looks, since a statement was sent and nothing has come back. */
const ASK_AFTER = 3;
/** The server is queried no more often, whoever is silent. */
const ASK_EVERY = 2;
/** How long a new connection may take to be had, and its statement. */
const ASK_LIMIT_MS = 2_000;

/** The states of a session that has nothing to do: what was sent to it never came, or its result went and never arrived. */
const DONE = new Set<string | null>(['idle', 'idle in transaction', 'idle in transaction (aborted)']);

/** What pg keeps of a client and does not declare. */
export type OpenClient = PoolClient & {
  readonly readyForQuery: boolean;
  readonly connection: { readonly stream: Socket };
  readonly processID: number | null;
};

interface Silence {
  received: number;
  looks: number;
  askAt: number;
}

/**
 * Closes a pool's connections that are dead, as when a firewall has forgotten them, within some 3 s of the statement that came to
 * nothing. Silence alone proves nothing, for a statement may take long: it is the server that says, over a new connection, that the
 * session has nothing to do, or is not there. So a slow server, and a statement that waits for a lock, lose nothing. Not for
 * connections through a pooler, which has numbers of its own for sessions, nor by an address that may lead to several servers.
 */
export function closeDeadConnections(
  pool: Pool,
  config: ClientConfig,
  log: Pick<Logger, 'warn'>,
  name: string,
): void {
  const silences = new Map<OpenClient, Silence>();
  const watch = new SilenceWatch(silences, config, () =>
    log.warn({ pool: name }, 'a dead database connection was closed'),
  );
  let timer: NodeJS.Timeout | undefined;
  pool.on('connect', (client) => {
    silences.set(client as OpenClient, { received: 0, looks: 0, askAt: ASK_AFTER });
    timer ??= setInterval(() => watch.look(), LOOK_MS).unref();
  });
  pool.on('remove', (client) => {
    silences.delete(client as OpenClient);
    if (silences.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  });
}

/** Whether it waits for nothing, or something came, or may have come that its reader does not take yet. */
const isHeard = ({ readyForQuery, connection: { stream } }: OpenClient, received: number): boolean =>
  readyForQuery || stream.isPaused() || stream.bytesRead !== received;

class SilenceWatch {
  private isAsking = false;
  private looksSinceAsked = ASK_EVERY;

  constructor(
    private readonly silences: ReadonlyMap<OpenClient, Silence>,
    private readonly config: ClientConfig,
    private readonly onClosed: () => void,
  ) {}

  look(): void {
    this.looksSinceAsked += 1;
    let isDue = false;
    for (const [client, silence] of this.silences) {
      if (isHeard(client, silence.received))
        Object.assign(silence, { received: client.connection.stream.bytesRead, looks: 0, askAt: ASK_AFTER });
      else silence.looks += 1;
      isDue ||= silence.looks >= silence.askAt;
    }
    if (isDue && !this.isAsking && this.looksSinceAsked >= ASK_EVERY) void this.ask();
  }

  private async ask(): Promise<void> {
    this.isAsking = true;
    this.looksSinceAsked = 0;
    const silent = [...this.silences].filter(([, { looks }]) => looks >= ASK_AFTER);
    try {
      const states = await statesOf(
        silent.map(([{ processID }]) => processID ?? 0),
        this.config,
      );
      for (const [client, silence] of silent) {
        const state = states?.get(client.processID ?? 0);
        if (states && (state === undefined || DONE.has(state)))
          this.closeUnlessHeard(client, silence.received);
        else silence.askAt = silence.looks * 2;
      }
    } catch {
      // No new connection either, so that nothing is known: the next look asks again.
    } finally {
      this.isAsking = false;
    }
  }

  /** What the server sent before it said so has this much longer to come. */
  private closeUnlessHeard(client: OpenClient, received: number): void {
    const { stream } = client.connection;
    const close = (): void => {
      if (stream.destroyed || isHeard(client, received)) return;
      this.onClosed();
      stream.destroy();
    };
    // A process that stood still runs its timers before it reads what has come meanwhile.
    setTimeout(() => setImmediate(close), LOOK_MS).unref();
  }
}

/**
 * The states of these sessions by their process, over a new connection: null where the server does not say, none of one that is not
 * there. Undefined where its own is not there either, as behind a pooler that nobody has named.
 */
async function statesOf(
  processes: readonly number[],
  config: ClientConfig,
): Promise<Map<number, string | null> | undefined> {
  const limits = { connectionTimeoutMillis: ASK_LIMIT_MS, query_timeout: ASK_LIMIT_MS };
  const client = new Client({ ...config, ...limits });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const own = (client as Client & Pick<OpenClient, 'processID'>).processID ?? 0;
    const { rows } = await client.query<{ pid: number; state: string | null }>(
      'SELECT pid, state FROM pg_stat_activity WHERE pid = ANY ($1::int[])',
      [[own, ...processes]],
    );
    const states = new Map(rows.map(({ pid, state }) => [pid, state]));
    return states.has(own) ? states : undefined;
  } finally {
    // Nobody waits for it.
    client.end().catch(() => undefined);
  }
}
