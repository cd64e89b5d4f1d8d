import type { Admin, Kafka } from 'kafkajs';

/** Where a group is in a partition, as the brokers have it; offset -1 is nowhere yet. */
interface GroupOffset {
  topic: string;
  partition: number;
  offset: bigint;
  metadata: string | null;
}

/** One administrator's client of a bus, connected when first used and made again after a failure. */
export class KafkaAdmin {
  private current: Promise<Admin> | undefined;

  constructor(private readonly makeClient: () => Kafka) {}

  /** What the work returns; its failure ends the connection. */
  async use<T>(work: (admin: Admin) => Promise<T>): Promise<T> {
    this.current ??= this.connect();
    const mine = this.current;
    try {
      return await work(await mine);
    } catch (error) {
      if (this.current === mine) this.current = undefined;
      await end(mine);
      throw error;
    }
  }

  /** The group's committed offsets in all partitions of the topics. */
  groupOffsets(groupId: string, topics: string[]): Promise<GroupOffset[]> {
    return this.use(async (admin) => {
      const found = await admin.fetchOffsets({ groupId, topics });
      return found.flatMap(({ topic, partitions }) =>
        partitions.map(({ partition, offset, metadata }) => ({
          topic,
          partition,
          offset: BigInt(offset),
          metadata,
        })),
      );
    });
  }

  /** The first and the next offset of each partition of the topic. */
  topicOffsets(topic: string): Promise<Map<number, { low: bigint; high: bigint }>> {
    return this.use(async (admin) => {
      const found = await admin.fetchTopicOffsets(topic);
      return new Map(
        found.map(({ partition, low, high }) => [partition, { low: BigInt(low), high: BigInt(high) }]),
      );
    });
  }

  async close(): Promise<void> {
    const { current } = this;
    this.current = undefined;
    if (current) await end(current);
  }

  private async connect(): Promise<Admin> {
    const admin = this.makeClient().admin();
    await admin.connect();
    return admin;
  }
}

async function end(admin: Promise<Admin>): Promise<void> {
  // A connection that is broken already has nothing to end.
  await admin.then((connected) => connected.disconnect()).catch(() => undefined);
}
