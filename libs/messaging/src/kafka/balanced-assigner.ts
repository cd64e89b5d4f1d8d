import { AssignerProtocol, type PartitionAssigner } from 'kafkajs';
import { hookJoins, type JoinHooks } from './kafkajs-patches';

/**
 * Gives each partition to that of the members which want its topic that has the fewest, so that no two differ by more
 * than one while all want the same; kafkajs's own counts members that do not want the topic (its issue 1679). kafkajs
 * hands an assigner its cluster, through which the member's joins are hooked (kafkajs-patches).
 */
export function balancedAssigner(hooks: JoinHooks): PartitionAssigner {
  return ({ cluster }) => {
    hookJoins(cluster, hooks);
    return {
      name: 'reseller-balanced',
      version: 0,
      protocol: ({ topics }) => ({
        name: 'reseller-balanced',
        metadata: AssignerProtocol.MemberMetadata.encode({ version: 0, topics, userData: Buffer.alloc(0) }),
      }),
      assign: ({ members, topics }) => {
        const wants = new Map(
          members.map(({ memberId, memberMetadata }) => [
            memberId,
            new Set(AssignerProtocol.MemberMetadata.decode(memberMetadata)?.topics ?? []),
          ]),
        );
        const partitions = topics.flatMap((topic) =>
          cluster
            .findTopicPartitionMetadata(topic)
            .map(({ partitionId }) => ({ topic, partition: partitionId })),
        );
        return Promise.resolve(
          [...share(partitions, wants)].map(([memberId, assignment]) => ({
            memberId,
            memberAssignment: AssignerProtocol.MemberAssignment.encode({
              version: 0,
              assignment,
              userData: Buffer.alloc(0),
            }),
          })),
        );
      },
    };
  };
}

/** Which partitions each member gets; the same for the same members and partitions, in whatever order they come. */
export function share(
  partitions: { topic: string; partition: number }[],
  wants: Map<string, Set<string>>,
): Map<string, Record<string, number[]>> {
  const members = [...wants.keys()].sort();
  const given = new Map(members.map((member) => [member, {} as Record<string, number[]>]));
  const counts = new Map(members.map((member) => [member, 0]));
  const inOrder = [...partitions].sort((a, b) => a.topic.localeCompare(b.topic) || a.partition - b.partition);
  for (const { topic, partition } of inOrder) {
    const ofTopic = (member: string): number => given.get(member)?.[topic]?.length ?? 0;
    const [least] = members
      .filter((member) => wants.get(member)?.has(topic))
      .sort((a, b) => (counts.get(a) ?? 0) - (counts.get(b) ?? 0) || ofTopic(a) - ofTopic(b));
    const assignment = least && given.get(least);
    if (!assignment) continue;
    (assignment[topic] ??= []).push(partition);
    counts.set(least, (counts.get(least) ?? 0) + 1);
  }
  return given;
}
