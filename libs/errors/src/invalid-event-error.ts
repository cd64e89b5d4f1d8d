/** What can be wrong with an event itself. */
export type InvalidEventReason = 'Undecodable' | 'RuleBroken';

/**
 * Says that an event can never be handled, whoever tries and when: its consumer dead-letters it and goes on. Throw it for
 * nothing else; every other error pauses the partition until its cause is gone.
 */
export class InvalidEventError extends Error {
  override readonly name = 'InvalidEventError';

  constructor(
    readonly reason: InvalidEventReason,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** Decodes the payload of an event of that type; bytes that are no such message make the event invalid. */
export function decodeEvent<Message>(
  type: string,
  payload: Uint8Array,
  codec: { decode(payload: Uint8Array): Message },
): Message {
  try {
    return codec.decode(payload);
  } catch (cause) {
    throw new InvalidEventError('Undecodable', `the payload is no ${type}`, { cause });
  }
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The id that an event must carry in a field; anything but a UUID makes the event invalid. */
export function requireEventUuid(field: string, value: string): string {
  if (!UUID.test(value)) throw new InvalidEventError('RuleBroken', `${field} of the event is no UUID`);
  return value;
}
