import type { Environment, WebhookEventType } from '@reseller/contracts';
import { decodeEvent, InvalidEventError, requireEventUuid } from '@reseller/errors';
import { environmentNameOf, type EnvironmentName } from '@reseller/rpc';
import type { z } from 'zod';
import { IncompleteMessageError } from '../values';

/** Reads and writes the messages of one type of domain event. */
interface MessageCodec<Message> {
  encode(message: Message): { finish(): Uint8Array };
  decode(payload: Uint8Array): Message;
}

/** What a domain event says to partners, and whose it is. */
export interface PresentedEvent<Data = Readonly<Record<string, unknown>>> {
  readonly partnerId: string;
  readonly environment: EnvironmentName;
  /** The order it is about, for the operators' timeline; null for an event about none. */
  readonly orderGlobalId: string | null;
  readonly data: Data;
}

/** All there is to say about one public event. */
export interface WebhookEventDeclaration<Name extends string = string> {
  readonly name: Name;
  /** Its value in notifier's contract. */
  readonly type: WebhookEventType;
  /** The topic of the domain events that become it. */
  readonly topic: string;
  /** The full names of those domain events. */
  readonly sources: readonly string[];
  /** The form of `data`; its id is the name of the type in the receiver library. */
  readonly schema: z.ZodObject;
  /** What partners read in docs/partners/webhooks.md. */
  readonly description: string;
  /** Reads a domain event of one of the sources; an InvalidEventError when the payload is not what its type says. */
  present(source: string, payload: Uint8Array): PresentedEvent;
  /** An example for a partner, in the form of every real one; test-fire sends it and the guide shows it. */
  example(partnerId: string): PresentedEvent;
  /** The domain event that becomes the example. */
  examplePayload(source: string, partnerId: string): Buffer;
}

/** Declares a public event; `sources` are the domain events that become it, by full name, all of one form. */
export function defineWebhookEvent<const Name extends string, Message, Schema extends z.ZodObject>(declared: {
  name: Name;
  type: WebhookEventType;
  topic: string;
  sources: Readonly<Record<string, MessageCodec<Message>>>;
  schema: Schema;
  description: string;
  present: (message: Message) => PresentedEvent<z.infer<Schema>>;
  example: (partnerId: string) => Message;
}): WebhookEventDeclaration<Name> {
  const { sources, present, example, ...rest } = declared;
  const codecOf = (source: string): MessageCodec<Message> => {
    const codec = sources[source];
    if (!codec) throw new Error(`${source} does not become ${declared.name}`);
    return codec;
  };
  return {
    ...rest,
    sources: Object.keys(sources),
    present: (source, payload) => {
      const message = decodeEvent(source, payload, codecOf(source));
      const presented = presentComplete(() => present(message));
      requireEventUuid('partner_id', presented.partnerId);
      return presented;
    },
    example: (partnerId) => present(example(partnerId)),
    examplePayload: (source, partnerId) => Buffer.from(codecOf(source).encode(example(partnerId)).finish()),
  };
}

function presentComplete<T>(present: () => T): T {
  try {
    return present();
  } catch (error) {
    if (!(error instanceof IncompleteMessageError)) throw error;
    throw new InvalidEventError('RuleBroken', error.message, { cause: error });
  }
}

/** The environment's stored name; an event that names none is invalid. */
export function requireEnvironment(environment: Environment): EnvironmentName {
  const name = environmentNameOf(environment);
  if (!name) throw new InvalidEventError('RuleBroken', 'the event names no environment');
  return name;
}
