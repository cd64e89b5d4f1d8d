import { v7 as uuidv7 } from 'uuid';
import { Actor } from './actor';
import type { Message } from './message';
import { takes } from './reader';

/** The metadata of a call, as the gateway or the backoffice would send it. */
export type Caller = Readonly<Record<string, string>>;

/** An operator, by name, whose account at the identity provider is one of its own. */
export const operatorNamed = (name: string): Caller => ({
  'x-operator': name,
  'x-operator-account': `idp ${name.toLowerCase()}`,
});

type Send = (rpc: string, request: Message, caller: Caller, deadlineMs?: number) => Promise<Message>;

/** A partner in one of its environments, nobody else's; its calls carry its metadata, and name it where the request does. */
export class Party extends Actor {
  readonly caller: Caller;
  /** partner_id and environment, as requests and replies carry them. */
  readonly ref: { readonly partner_id: string; readonly environment: string };

  constructor(
    private readonly send: Send,
    private readonly environment: 'sandbox' | 'live' = 'sandbox',
    readonly id = uuidv7(),
    /** Ids from the root partner down to this one, with commas between them. */
    readonly path = id,
  ) {
    super();
    this.ref = { partner_id: id, environment: `ENVIRONMENT_${environment.toUpperCase()}` };
    this.caller = {
      'x-partner-id': id,
      'x-partner-global-id': 'PRT-000001',
      'x-partner-path': path,
      'x-environment': environment,
      'x-client-id': 'contract',
    };
  }

  call(rpc: string, request: Message = {}, deadlineMs?: number): Promise<Message> {
    const named = Object.entries(this.ref).filter(([field]) => takes(rpc, field));
    return this.send(rpc, { ...Object.fromEntries(named), ...request }, this.caller, deadlineMs);
  }

  /** The same partner in its other environment. */
  elsewhere(): Party {
    return new Party(this.send, this.environment === 'live' ? 'sandbox' : 'live', this.id, this.path);
  }

  /** A partner below this one. */
  child(): Party {
    const id = uuidv7();
    return new Party(this.send, this.environment, id, `${this.path},${id}`);
  }
}
