import { setTimeout as pause } from 'node:timers/promises';
import type { Admin } from 'kafkajs';
import type { SessionPool } from '@reseller/database';
import type { PoolClient } from 'pg';
import { KafkaAdmin } from './kafka-admin';
import { createKafkaClient, type KafkaClientOptions } from './kafka-client';
import { PUBLISHER_METADATA_AGE_MS } from './kafka-publisher';

/** Which topic gets how many partitions, and by whose outbox it is written. */
interface PartitionsDeps {
  /** Of the service that writes the topic; one of its sessions is taken. */
  sessions: SessionPool;
  /** May describe and alter the topic, and describe all groups. */
  admin: KafkaAdmin;
  /** As Kafka has it. */
  topic: string;
  partitions: number;
  say: (line: string) => void;
  /** How long groups may take to reach the end; 60,000 by default. */
  limitMs?: number;
}

/** An administrator's client of a cluster, to be closed after use. */
export function administrate(options: KafkaClientOptions): KafkaAdmin {
  return new KafkaAdmin(() => createKafkaClient(options));
}

/** What every relay of the service shares while it publishes. */
const GATE = `hashtextextended('reseller.outbox.relay', 0)`;
const EVERY_MS = 100;

/**
 * Adds partitions to a topic while its writers run, and keeps each aggregate's order: with another count its later events go to another
 * partition, so no relay publishes until every group has handled what came before, and every publisher looks anew where events go.
 * Events wait in the outbox meanwhile. Rejects, with nothing changed, where a group is not at the end in time.
 */
export async function addPartitions(deps: PartitionsDeps): Promise<void> {
  const { sessions, say, topic, partitions } = deps;
  await requireMore(deps);
  const client = await sessions.connect();
  try {
    // Ends with the connection: relays go on also when this process dies.
    await client.query("SET statement_timeout = '50s'");
    await client.query(`SELECT pg_advisory_lock(${GATE})`);
    const pausedAt = performance.now();
    say('no relay publishes now; events wait in the outbox');
    await untilHandled(deps);
    await requireGate(client);
    await deps.admin.use((admin) => create(admin, topic, partitions));
    say(`${topic} has ${partitions} partitions`);
    // Publishers take what they know for true for so long.
    await pause(PUBLISHER_METADATA_AGE_MS + 1_000);
    await requireGate(client);
    say(`relays publish again, after ${((performance.now() - pausedAt) / 1_000).toFixed(1)} s`);
  } finally {
    client.release(true);
  }
}

async function requireMore({ admin, topic, partitions }: PartitionsDeps): Promise<void> {
  const found = await admin.use((connected) => connected.fetchTopicMetadata({ topics: [topic] }));
  const present = found.topics[0]?.partitions ?? [];
  if (present.length >= partitions)
    throw new Error(`${topic} has ${present.length} partitions, and Kafka takes none away`);
  const short = present.filter(({ isr, replicas }) => isr.length < replicas.length);
  if (short.length > 0)
    throw new Error(
      `${short.length} partitions of ${topic} are under-replicated: try again when they are in sync`,
    );
}

/** The lock is the session's: a response says that both are there. */
async function requireGate(client: PoolClient): Promise<void> {
  const { rowCount } = await client.query(
    "SELECT FROM pg_locks WHERE pid = pg_backend_pid() AND locktype = 'advisory' AND granted",
  );
  if (rowCount === 0)
    throw new Error(
      'the connection to PostgreSQL was lost, and relays publish again: see the event-bus page',
    );
}

async function create(admin: Admin, topic: string, count: number): Promise<void> {
  await admin.createPartitions({ topicPartitions: [{ topic, count }], timeout: 10_000 });
  for (;;) {
    const { topics } = await admin.fetchTopicMetadata({ topics: [topic] });
    const led = topics[0]?.partitions.filter(({ leader }) => leader >= 0) ?? [];
    if (led.length >= count) return;
    await pause(EVERY_MS);
  }
}

async function untilHandled({ admin, topic, limitMs = 60_000 }: PartitionsDeps): Promise<void> {
  const until = performance.now() + limitMs;
  for (;;) {
    const behind = await groupsBehind(admin, topic);
    if (behind.length === 0) return;
    if (performance.now() > until)
      throw new Error(
        `${behind.join(', ')} did not reach the end of ${topic} in ${limitMs / 1_000} s: nothing was changed`,
      );
    await pause(EVERY_MS);
  }
}

/** Groups that have begun with the topic and have not handled all of it. */
async function groupsBehind(kafka: KafkaAdmin, topic: string): Promise<string[]> {
  const { groups } = await kafka.use((admin) => admin.listGroups());
  const ends = await kafka.topicOffsets(topic);
  const behind: string[] = [];
  for (const { groupId } of groups) {
    const offsets = await kafka.groupOffsets(groupId, [topic]);
    if (!offsets.some(({ offset }) => offset >= 0n)) continue;
    const isBehind = [...ends].some(([partition, { low, high }]) => {
      const at = offsets.find((one) => one.partition === partition)?.offset ?? -1n;
      return (at < low ? low : at) < high;
    });
    if (isBehind) behind.push(groupId);
  }
  return behind;
}
