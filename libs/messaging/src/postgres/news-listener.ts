import type { Pool, PoolClient } from 'pg';
import { BackgroundLoop } from '../background-loop';
import type { Stoppable } from '../event-bus';

/**
 * Hears from the database which partitions have new events, over a connection of its own. What came while there was none is not
 * heard: each new connection begins with an empty text, which means any of them, and heartbeats find the rest.
 */
export class NewsListener implements Stoppable {
  private readonly loop: BackgroundLoop;
  private end: (() => void) | undefined;

  constructor(
    private readonly pool: Pool,
    private readonly ensureSchema: () => Promise<void>,
    private readonly onNews: (partitions: string) => void,
    onFailure: (error: unknown) => void,
  ) {
    this.loop = new BackgroundLoop((signal) => this.listen(signal), onFailure);
  }

  async stop(): Promise<void> {
    const stopped = this.loop.stop();
    this.end?.();
    await stopped;
  }

  private async listen(signal: AbortSignal): Promise<number> {
    await this.ensureSchema();
    const client = await this.pool.connect();
    try {
      if (!signal.aborted) await this.untilEnd(client, signal);
      return 0;
    } finally {
      // Whoever got it next would still be listening.
      client.release(true);
    }
  }

  private async untilEnd(client: PoolClient, signal: AbortSignal): Promise<void> {
    const ended = new Promise<void>((resolve, reject) => {
      this.end = resolve;
      client.once('error', reject);
      client.once('end', () => reject(new Error('the connection ended')));
    });
    ended.catch(() => undefined);
    client.on('notification', ({ payload }) => this.onNews(payload ?? ''));
    await client.query('LISTEN event_bus');
    this.onNews('');
    if (!signal.aborted) await ended;
  }
}
