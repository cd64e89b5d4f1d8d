import type { SessionPool } from '@reseller/database';
import type { PoolClient } from 'pg';
import { BackgroundLoop } from '../background-loop';
import type { Stoppable } from '../event-bus';

/** What is listened to, and what is done with it. */
interface ChannelListenerDeps {
  /** Of one connection, which listens. */
  readonly pool: SessionPool;
  /** The name of the NOTIFY channel, a plain identifier. */
  readonly channel: string;
  /** Comes before each attempt to listen. */
  readonly prepare?: () => Promise<void>;
  /** What came while there was no connection is not heard: each new one begins with this. */
  readonly onListening?: () => void;
  /** Gets the text of each notification. */
  readonly onNotification: (payload: string) => void;
  /** A connection could not be made or broke; another attempt follows. */
  readonly onFailure: (error: unknown) => void;
}

/** Hears what is notified on a channel of the database, over a connection of its own, and connects again when it breaks. */
export class ChannelListener implements Stoppable {
  private readonly loop: BackgroundLoop;
  private end: (() => void) | undefined;

  constructor(private readonly deps: ChannelListenerDeps) {
    this.loop = new BackgroundLoop((signal) => this.listen(signal), deps.onFailure);
  }

  async stop(): Promise<void> {
    const stopped = this.loop.stop();
    this.end?.();
    await stopped;
  }

  private async listen(signal: AbortSignal): Promise<number> {
    await this.deps.prepare?.();
    const client = await this.deps.pool.connect();
    try {
      if (!signal.aborted) await this.untilEnd(client, signal);
      return 0;
    } finally {
      // Whoever got it next would still be listening.
      client.release(true);
    }
  }

  private async untilEnd(client: PoolClient, signal: AbortSignal): Promise<void> {
    const { channel, onListening, onNotification } = this.deps;
    const ended = new Promise<void>((resolve, reject) => {
      this.end = resolve;
      client.once('error', reject);
      client.once('end', () => reject(new Error('the connection ended')));
    });
    ended.catch(() => undefined);
    client.on('notification', ({ payload }) => onNotification(payload ?? ''));
    await client.query(`LISTEN ${channel}`);
    onListening?.();
    if (!signal.aborted) await ended;
  }
}
