import { Client, credentials, Metadata } from '@grpc/grpc-js';
import type { ErrorCode } from '@reseller/errors';
import type { DomainEvent, EventBus } from '@reseller/messaging';
import { eventually } from '@reseller/testing';
import { randomUUID } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';
import { Actor } from './actor';
import type { Message } from './message';
import { coderOf, methodOf } from './reader';
import type { GoldenRecorder } from './golden';
import type { Fake } from './fakes/fake';
import { operatorNamed, Party, type Caller } from './party';
import { readRefusal } from './refusal';

/** An event as it stood on the bus, its payload read by the independent reader. */
export interface SeenEvent {
  readonly type: string;
  readonly topic: string;
  readonly key: string;
  readonly payload: Message;
}

const DEADLINE_MS = 20_000;
const OPERATOR = operatorNamed('Olga');

/** What a suite works with: the service under test by its address, and the bus it is connected to. */
export class World extends Actor {
  private readonly client: Client;
  private readonly seen: DomainEvent[] = [];
  private readonly sequences = new Map<string, number>();

  constructor(
    address: string,
    readonly golden: GoldenRecorder,
    private readonly bus: EventBus | undefined,
    topics: readonly string[],
    private readonly dependencies: Readonly<Record<string, Fake>> = {},
    private readonly operatorRpcs: ReadonlySet<string> = new Set(),
  ) {
    super();
    this.client = new Client(address, credentials.createInsecure());
    if (topics.length > 0) {
      bus?.subscribe({
        group: `contract-${randomUUID()}`,
        topics: [...topics],
        handler: async (events) => void this.seen.push(...events),
      });
    }
  }

  async close(): Promise<void> {
    this.client.close();
    await this.bus?.close();
    for (const fake of Object.values(this.dependencies)) await fake.stop();
  }

  /** The fake of a service that the one under test calls. */
  dependency(name: string): Fake {
    const fake = this.dependencies[name];
    if (!fake) throw new Error(`no fake of ${name} was started`);
    return fake;
  }

  /** Another partner, with nothing of its own yet. */
  partner(environment: 'sandbox' | 'live' = 'sandbox'): Party {
    return new Party((...call) => this.call(...call), environment);
  }

  /** Has a method of a dependency fail while the work runs; with `of` only calls that hold this text. */
  async whileFailing<T>(
    dependency: string,
    method: string,
    work: () => Promise<T>,
    of?: string,
    code: ErrorCode = 'SERVICE_UNAVAILABLE',
  ): Promise<T> {
    const recover = this.dependency(dependency).fail(method, code, Number.POSITIVE_INFINITY, of);
    return work().finally(recover);
  }

  /** Calls an RPC, as the operator Olga where it records who acted. */
  call(rpc: string, request: Message = {}, caller: Caller = {}, deadlineMs?: number): Promise<Message> {
    const operator = this.operatorRpcs.has(methodOf(rpc).name) ? OPERATOR : {};
    return this.send(rpc, request, { ...operator, ...caller }, deadlineMs);
  }

  /** Calls with this metadata and no other; throws a Refusal for an error with our trailer. */
  send(rpc: string, request: Message = {}, caller: Caller = {}, deadlineMs = DEADLINE_MS): Promise<Message> {
    const method = methodOf(rpc);
    const metadata = new Metadata({ waitForReady: true });
    for (const [name, value] of Object.entries({ 'x-request-id': 'contract', ...caller }))
      metadata.set(name, value);
    return new Promise((resolve, reject) => {
      this.client.makeUnaryRequest<Message, Message>(
        method.path,
        (message) => method.request.encode(message),
        (bytes) => method.response.decode(bytes),
        request,
        metadata,
        { deadline: Date.now() + deadlineMs },
        (error, response) => {
          if (error) return reject(readRefusal(rpc, error));
          if (response === undefined) return reject(new Error(`${rpc} returned nothing`));
          this.golden.record(method.name, response);
          resolve(response);
        },
      );
    });
  }

  /** Puts an event on the bus as its publisher would; returns the event's id. */
  async publish(topic: string, type: string, key: string, payload: Message): Promise<string> {
    return this.publishBytes(topic, type, key, coderOf(type).encode(payload));
  }

  /** The same, for a payload that no .proto file of today describes. */
  async publishBytes(topic: string, type: string, key: string, payload: Buffer): Promise<string> {
    const eventId = uuidv7();
    const sequence = (this.sequences.get(key) ?? 0) + 1;
    this.sequences.set(key, sequence);
    if (!this.bus) throw new Error('this case needs the event bus: give --bus');
    await this.bus.publish([
      {
        eventId,
        topic,
        type,
        aggregateId: key,
        aggregateSeq: String(sequence),
        occurredAt: new Date(),
        payload,
        headers: {},
      },
    ]);
    return eventId;
  }

  /** The events of one key in the order they came, once there are so many; fails when there are more. */
  async eventsOf(key: string, count: number): Promise<SeenEvent[]> {
    const events = await this.eventsOnce(key, ({ length }) => length >= count);
    if (events.length > count)
      throw new Error(
        `${events.length} events instead of ${count}: ${events.map(({ type }) => type).join(', ')}`,
      );
    return events;
  }

  /** The events of one key that came, other runs' as well, up to the first that is the last. */
  async eventsUntil(key: string, isLast: (event: SeenEvent) => boolean): Promise<SeenEvent[]> {
    const events = await this.eventsOnce(key, (all) => all.some(isLast));
    return events.slice(0, events.findIndex(isLast) + 1);
  }

  private eventsOnce(key: string, areThere: (events: readonly SeenEvent[]) => boolean): Promise<SeenEvent[]> {
    return eventually(() => {
      const events = this.seen
        .filter(({ aggregateId }) => aggregateId === key)
        .map(({ type, topic, payload }) => ({ type, topic, key, payload: coderOf(type).decode(payload) }));
      if (!areThere(events))
        throw new Error(`${events.length} events of ${key} are on the bus, and not those`);
      for (const { type, payload } of events) this.golden.record(type, payload);
      return events;
    });
  }
}
