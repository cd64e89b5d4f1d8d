import type { Admin } from 'kafkajs';
import { until } from '../until';

type Ends = ReadonlyMap<string, ReadonlyMap<number, number>>;

/** The next offset of each partition of the platform's topics. */
async function endsOf(admin: Admin): Promise<Ends> {
  const ends = new Map<string, Map<number, number>>();
  for (const topic of (await admin.listTopics()).filter((name) => name.startsWith('reseller.'))) {
    const offsets = await admin.fetchTopicOffsets(topic);
    ends.set(topic, new Map(offsets.map(({ partition, high }) => [partition, Number(high)])));
  }
  return ends;
}

/** Where each group is in each topic that it has begun with. */
async function progressOf(admin: Admin, ends: Ends) {
  const { groups } = await admin.listGroups();
  const found = await Promise.all(
    groups.map(async ({ groupId }) => {
      const topics = await admin.fetchOffsets({ groupId, topics: [...ends.keys()] });
      return topics.map((one) => ({ groupId, ...one }));
    }),
  );
  return found.flat().filter(({ partitions }) => partitions.some(({ offset }) => Number(offset) >= 0));
}

/** Where a group has yet to handle something, in words; empty when all is handled. */
export async function unhandled(admin: Admin): Promise<string[]> {
  const ends = await endsOf(admin);
  const progress = await progressOf(admin, ends);
  return progress.flatMap(({ groupId, topic, partitions }) =>
    partitions
      .map(({ partition, offset }) => ({ partition, offset, end: ends.get(topic)?.get(partition) ?? 0 }))
      .filter(({ offset, end }) => Math.max(0, Number(offset)) < end)
      .map(({ partition, offset, end }) => `${groupId} is at ${offset} of ${end} in ${topic}/${partition}`),
  );
}

/** How many messages the topics hold. */
export async function storedMessages(admin: Admin): Promise<number> {
  const ends = await endsOf(admin);
  return [...ends.values()].flatMap((of) => [...of.values()]).reduce((sum, end) => sum + end, 0);
}

/** Has every group pass over what the topics hold, once it has no member; returns how many groups. */
export async function moveGroupsToEnd(admin: Admin): Promise<number> {
  const ends = await endsOf(admin);
  const progress = await progressOf(admin, ends);
  for (const { groupId, topic } of progress) {
    const partitions = [...(ends.get(topic) ?? [])].map(([partition, end]) => ({
      partition,
      offset: String(end),
    }));
    await until(`${groupId} has no member`, () =>
      admin.setOffsets({ groupId, topic, partitions }).then(() => true),
    );
  }
  return new Set(progress.map(({ groupId }) => groupId)).size;
}
