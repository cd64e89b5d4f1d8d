import { freePort, startKafka, type TestKafka } from '@reseller/testing';
import { Kafka, logLevel, type Admin } from 'kafkajs';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import path from 'node:path';
import { TcpProxy } from '../brown-out/tcp-proxy';
import { until } from '../until';
import { unhandled } from './offsets';

const IDS = [1, 2, 3] as const;
const CLIENTS = 9;
const WHOLE_LIMIT_MS = 180_000;

/** A broker by its node id. */
type BrokerId = (typeof IDS)[number];

interface Ports {
  readonly client: number;
  readonly broker: number;
  readonly controller: number;
}

type Plan = ReadonlyMap<BrokerId, Ports>;

/**
 * Where a broker, or a client (9), reaches another broker: an address of its own, so that one broker can be cut off while the
 * others go on. Each JVM finds the others' names in a hosts file of its own.
 */
const pathTo = (from: number, to: BrokerId): string => `127.0.${from}.${to}`;

/** Three brokers that are controllers too (KRaft), with three copies of everything, as teams run Kafka; all of it on this machine. */
export class KafkaCluster {
  private readonly brokers = new Map<BrokerId, TestKafka>();
  private readonly proxies: { readonly from: number; readonly to: BrokerId; readonly proxy: TcpProxy }[] = [];

  private constructor(
    private readonly root: string,
    private readonly plan: Plan,
  ) {}

  /** Starts it; rejects with what is missing where Kafka cannot be had. */
  static async start(): Promise<KafkaCluster> {
    const plan = new Map<BrokerId, Ports>();
    for (const id of IDS)
      plan.set(id, { client: await freePort(), broker: await freePort(), controller: await freePort() });
    const cluster = new KafkaCluster(mkdtempSync(path.join(tmpdir(), 'reseller-kafka-')), plan);
    try {
      await cluster.bringUp();
    } catch (error) {
      await cluster.stop();
      throw error;
    }
    return cluster;
  }

  /** What services are started with to have their events on it. */
  get environment(): Record<string, string> {
    return {
      EVENT_BUS_URL: this.url,
      KAFKA_REPLICATION_FACTOR: '3',
      KAFKA_TOPIC_PARTITIONS: '6',
    };
  }

  /** All brokers, as clients reach them. */
  get url(): string {
    return `kafka://${IDS.map((id) => `${pathTo(CLIENTS, id)}:${this.ports(id).client}`).join()}`;
  }

  private async bringUp(): Promise<void> {
    for (const to of IDS) {
      const { client, broker, controller } = this.ports(to);
      this.place(CLIENTS, to, client);
      for (const from of IDS.filter((id) => id !== to))
        for (const port of [broker, controller]) this.place(from, to, port);
    }
    await Promise.all(this.proxies.map(({ proxy }) => proxy.listen()));
    const started = await Promise.allSettled(
      IDS.map(async (id) => this.brokers.set(id, await startKafka(this.configuration(id)))),
    );
    const failed = started.find(({ status }) => status === 'rejected') as PromiseRejectedResult | undefined;
    if (failed) throw failed.reason;
    await this.whole();
  }

  private place(from: number, to: BrokerId, port: number): void {
    this.proxies.push({ from, to, proxy: new TcpProxy(port, port, pathTo(from, to)) });
  }

  private configuration(id: BrokerId) {
    const { client, broker, controller } = this.ports(id);
    const hosts = path.join(this.root, `hosts-${id}`);
    const names = IDS.map((to) => `${to === id ? '127.0.0.1' : pathTo(id, to)} broker-${to}`);
    writeFileSync(hosts, [`127.0.0.1 localhost ${hostname()}`, ...names, ''].join('\n'));
    return {
      jvm: [`-Djdk.net.hosts.file=${hosts}`],
      listeners: { BROKERS: 'PLAINTEXT' },
      addresses: {
        PLAINTEXT: `127.0.0.1:${client}`,
        BROKERS: `127.0.0.1:${broker}`,
        CONTROLLER: `127.0.0.1:${controller}`,
      },
      settings: {
        'node.id': String(id),
        'controller.quorum.voters': IDS.map((to) => `${to}@broker-${to}:${this.ports(to).controller}`).join(),
        'advertised.listeners': `PLAINTEXT://${pathTo(CLIENTS, id)}:${client},BROKERS://broker-${id}:${broker}`,
        'inter.broker.listener.name': 'BROKERS',
        'default.replication.factor': '3',
        'min.insync.replicas': '2',
        'unclean.leader.election.enable': 'false',
        'offsets.topic.replication.factor': '3',
        'transaction.state.log.replication.factor': '3',
        'transaction.state.log.min.isr': '2',
      },
    };
  }

  /** Does something as the brokers' administrator. */
  async asAdmin<T>(work: (admin: Admin) => Promise<T>): Promise<T> {
    const brokers = this.url.replace('kafka://', '').split(',');
    const retry = { retries: 4 };
    const admin = new Kafka({ brokers, logLevel: logLevel.NOTHING, retry }).admin({ retry });
    await admin.connect();
    try {
      return await work(admin);
    } finally {
      await admin.disconnect();
    }
  }

  /** Resolves once all brokers are there and every partition has all its replicas in sync. */
  async whole(): Promise<void> {
    await until(
      'all brokers are there, and all replicas in sync',
      () =>
        this.asAdmin(async (admin) => {
          const { brokers } = await admin.describeCluster();
          const { topics } = await admin.fetchTopicMetadata();
          const all = topics.flatMap(({ partitions }) => partitions);
          return (
            brokers.length === IDS.length && all.every(({ isr, replicas }) => isr.length === replicas.length)
          );
        }),
      WHOLE_LIMIT_MS,
    );
  }

  /** Which broker leads a partition. */
  leaderOf(topic: string, partition = 0): Promise<BrokerId> {
    return this.asAdmin(async (admin) => {
      const { topics } = await admin.fetchTopicMetadata({ topics: [topic] });
      const found = topics[0]?.partitions.find(({ partitionId }) => partitionId === partition);
      if (!found || found.leader < 1) throw new Error(`${topic}/${partition} has no leader`);
      return found.leader as BrokerId;
    });
  }

  /** Ends a broker as a power cut does. */
  kill(id: BrokerId): Promise<void> {
    return this.broker(id).kill();
  }

  /** Starts a broker that was killed. */
  revive(id: BrokerId): Promise<void> {
    return this.broker(id).start();
  }

  /** Cuts a broker off from the other brokers and from all clients: nothing is refused, nothing gets a response. Returns what joins it again. */
  async cutOff(id: BrokerId): Promise<() => Promise<void>> {
    const around = this.proxies.filter(({ from, to }) => from === id || to === id);
    await Promise.all(around.map(({ proxy }) => proxy.set('half-open')));
    return async () => {
      await Promise.all(around.map(({ proxy }) => proxy.set('through')));
    };
  }

  /** Moves all partitions of all topics onto these brokers, the preferred leaders in turn; resolves when all data is there. */
  async moveAllTo(ids: readonly BrokerId[]): Promise<void> {
    const moved = await this.asAdmin(async (admin) => {
      const { topics } = await admin.fetchTopicMetadata();
      const plan = topics.map(({ name, partitions }) => ({
        topic: name,
        partitionAssignment: partitions.map(({ partitionId }) => ({
          partition: partitionId,
          replicas: ids.map((_, at) => ids[(partitionId + at) % ids.length] as number),
        })),
      }));
      await admin.alterPartitionReassignments({ topics: plan });
      return plan.map(({ topic, partitionAssignment }) => ({
        topic,
        partitions: partitionAssignment.map(({ partition }) => partition),
      }));
    });
    await until(
      'all partitions are moved',
      () =>
        this.asAdmin(async (admin) => {
          const { topics } = await admin.listPartitionReassignments({ topics: moved });
          return topics.length === 0;
        }),
      WHOLE_LIMIT_MS,
    );
  }

  /** Resolves once every group has handled all that was published; rejects with what is left. */
  async untilHandled(): Promise<void> {
    let left: string[] = [];
    const isHandled = async (): Promise<boolean> => {
      left = await this.asAdmin(unhandled);
      return left.length === 0;
    };
    await until('every group has handled every event', isHandled, WHOLE_LIMIT_MS).catch((error: Error) => {
      throw new Error(`${error.message}: ${left.join('; ')}`, { cause: error });
    });
  }

  /** All brokers. */
  readonly ids = IDS;

  /** Ends all of it. */
  async stop(): Promise<void> {
    await Promise.all([...this.brokers.values()].map((broker) => broker.remove()));
    await Promise.all(this.proxies.map(({ proxy }) => proxy.close()));
    rmSync(this.root, { recursive: true, force: true });
  }

  private ports(id: BrokerId): Ports {
    const found = this.plan.get(id);
    if (!found) throw new Error(`there is no broker ${id}`);
    return found;
  }

  private broker(id: BrokerId): TestKafka {
    const found = this.brokers.get(id);
    if (!found) throw new Error(`broker ${id} was not started`);
    return found;
  }
}
