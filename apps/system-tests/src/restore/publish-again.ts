import pg from 'pg';
import { say } from '../bench/measure';
import type { KafkaCluster } from '../kafka/kafka-cluster';
import { moveGroupsToEnd } from '../kafka/offsets';

const WRITERS = ['identity', 'orders_saga', 'scent_commerce', 'finance'];
const BEFORE_MS = 300_000;

/**
 * What a restore does where Kafka was not lost (docs/platform/backups.md): groups pass over what there is, since some of it has never happened
 * by now, and the outboxes publish the last minutes before `time` once more.
 */
export async function publishAgain(kafka: KafkaCluster, url: string, time: number): Promise<void> {
  const groups = await kafka.asAdmin(moveGroupsToEnd);
  let events = 0;
  for (const database of WRITERS) {
    const client = new pg.Client({
      connectionString: Object.assign(new URL(url), { pathname: `/${database}` }).href,
    });
    await client.connect();
    const { rowCount } = await client.query('UPDATE outbox SET published_at = NULL WHERE occurred_at >= $1', [
      new Date(time - BEFORE_MS),
    ]);
    await client.end();
    events += rowCount ?? 0;
  }
  say(`  Kafka: ${groups} groups moved to the end, ${events} events to be published again`);
}
