import { deadLetterTopic } from '../event-bus';

const dayMs = 86_400_000;
const isDeadLetter = (topic: string): boolean => topic.endsWith(deadLetterTopic(''));

/** How a topic is made. */
export interface TopicPlan {
  topic: string;
  partitions: number;
  replicationFactor: number;
  config: Record<string, string>;
}

/**
 * How a topic of the bus is made on Kafka. Dead letters are few and looked at in one order, so they get one partition,
 * and stay for 30 days; other events for 7, as long as the outbox's relays and every group may be away.
 */
export function topicPlan(
  topic: string,
  wanted: { partitions: number; replicationFactor: number },
): TopicPlan {
  const { replicationFactor } = wanted;
  return {
    topic,
    partitions: isDeadLetter(topic) ? 1 : wanted.partitions,
    replicationFactor,
    config: {
      'cleanup.policy': 'delete',
      'retention.ms': String((isDeadLetter(topic) ? 30 : 7) * dayMs),
      // By when they came, not by when they happened: an event that waited long in its outbox is not old here.
      'message.timestamp.type': 'LogAppendTime',
      // One copy may be away. With two copies that would leave one, which a crash could lose.
      'min.insync.replicas': String(replicationFactor >= 3 ? 2 : 1),
      'compression.type': 'producer',
      'max.message.bytes': '4194304',
    },
  };
}
