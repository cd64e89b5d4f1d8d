import { BackgroundLoop } from '../background-loop';
import type { Stoppable } from '../event-bus';
import { startAtZero } from '../messaging-metrics';
import { ConsumerSession, type SessionDeps } from './consumer-session';
import { namingTheSetting } from './kafka-refusal';
import { isTopicUnknown, type KafkaTopics } from './topics';

/** What a member of a group works with. */
interface KafkaConsumerDeps extends SessionDeps {
  kafkaTopics: KafkaTopics;
  /** How often the group's lag is measured, in milliseconds. */
  lagEveryMs: number;
}

/** One member of a group: one consumer session after another, through every crash, until it is stopped. */
export class KafkaGroupConsumer implements Stoppable {
  private readonly sessions: BackgroundLoop;
  private readonly lags: BackgroundLoop | undefined;
  private session: ConsumerSession | undefined;
  private stopped: Promise<void> | undefined;

  constructor(private readonly deps: KafkaConsumerDeps) {
    const { metrics, subscription, log } = deps;
    if (metrics) startAtZero(metrics, subscription.group, subscription.topics);
    this.sessions = new BackgroundLoop(
      (signal) => this.consume(signal),
      (error) => {
        if (isTopicUnknown(error)) deps.kafkaTopics.forget(this.topicNames());
        const err = namingTheSetting(error);
        log.warn({ err, group: subscription.group }, 'the event bus failed and is tried again');
      },
    );
    if (!metrics) return;
    this.lags = new BackgroundLoop(
      () => this.reportLag(metrics),
      () => this.hideLag(),
    );
  }

  /** Ends after what is being handled, and gives the partitions to the other members. */
  stop(): Promise<void> {
    this.stopped ??= this.end();
    return this.stopped;
  }

  private async end(): Promise<void> {
    await Promise.all([this.sessions.stop(), this.lags?.stop()]);
    // Handlers in partitions that went to others while they ran: what they use must not end before them.
    await Promise.all(this.deps.leftovers.values());
  }

  private async consume(signal: AbortSignal): Promise<number> {
    await this.deps.kafkaTopics.ensure(this.topicNames());
    const session = new ConsumerSession(this.deps);
    this.session = session;
    try {
      await session.run(signal);
    } finally {
      // After a crash nothing can be committed, so nothing is waited for.
      await session.close(signal.aborted ? Infinity : 0);
      this.session = undefined;
    }
    return 0;
  }

  private topicNames(): string[] {
    return [...this.deps.topics.keys()];
  }

  private async reportLag(metrics: NonNullable<SessionDeps['metrics']>): Promise<number> {
    const { admin, groupId, topics, kafkaTopics, subscription, lagEveryMs } = this.deps;
    if (!this.session) return lagEveryMs;
    const committed = await admin.groupOffsets(groupId, [...topics.keys()]);
    const oldest = this.session?.oldestByTopic();
    for (const [name, topic] of topics) {
      const labels = { group: subscription.group, topic };
      let lag = 0n;
      const partitions = await admin.topicOffsets(name);
      kafkaTopics.note(name, partitions.size);
      for (const [partition, { low, high }] of partitions) {
        const at = committed.find((known) => known.topic === name && known.partition === partition);
        const next = at && at.offset > low ? at.offset : low;
        if (high > next) lag += high - next;
      }
      metrics.lag.set(labels, Number(lag));
      const since = oldest?.get(name);
      metrics.lagSeconds.set(labels, since === undefined ? 0 : Math.max(0, (Date.now() - since) / 1_000));
    }
    return lagEveryMs;
  }

  /** What cannot be measured is left out, rather than reported as it was. */
  private hideLag(): void {
    const { metrics, subscription } = this.deps;
    for (const topic of subscription.topics) {
      metrics?.lag.remove({ group: subscription.group, topic });
      metrics?.lagSeconds.remove({ group: subscription.group, topic });
    }
  }
}
