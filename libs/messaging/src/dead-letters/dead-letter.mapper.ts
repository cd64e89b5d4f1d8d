import { DeadLetterReason, DeadLetterState, type DeadLetter as DeadLetterMessage } from '@reseller/contracts';
import { explain } from './explain';
import type { DeadLetter, DeadLetterReason as Reason, DeadLetterState as State } from './dead-letter';

/** The stored name of each state of the contract; undefined for the one that means all. */
export const STATES: Readonly<Record<DeadLetterState, State | undefined>> = {
  [DeadLetterState.UNSPECIFIED]: undefined,
  [DeadLetterState.WAITING]: 'Waiting',
  [DeadLetterState.REDRIVEN]: 'Redriven',
  [DeadLetterState.DISMISSED]: 'Dismissed',
  [DeadLetterState.UNRECOGNIZED]: undefined,
};

/** The stored name of each reason of the contract; undefined for the one that means all. */
export const REASONS: Readonly<Record<DeadLetterReason, Reason | undefined>> = {
  [DeadLetterReason.UNSPECIFIED]: undefined,
  [DeadLetterReason.UNDECODABLE]: 'Undecodable',
  [DeadLetterReason.RULE_BROKEN]: 'RuleBroken',
  [DeadLetterReason.ENDS_PROCESS]: 'EndsProcess',
  [DeadLetterReason.UNRECOGNIZED]: undefined,
};

const MESSAGE_STATES: Readonly<Record<State, DeadLetterState>> = {
  Waiting: DeadLetterState.WAITING,
  Redriven: DeadLetterState.REDRIVEN,
  Dismissed: DeadLetterState.DISMISSED,
};
const MESSAGE_REASONS: Readonly<Record<Reason, DeadLetterReason>> = {
  Undecodable: DeadLetterReason.UNDECODABLE,
  RuleBroken: DeadLetterReason.RULE_BROKEN,
  EndsProcess: DeadLetterReason.ENDS_PROCESS,
};

/** The dead letter as the contract has it. */
export function toMessage({ event, ...letter }: DeadLetter): DeadLetterMessage {
  const { payload, headers, ...fields } = event;
  return {
    ...fields,
    payloadBase64: payload.toString('base64'),
    headersJson: JSON.stringify(headers),
    ...letter,
    ...explain({ event, ...letter }),
    reason: MESSAGE_REASONS[letter.reason],
    state: MESSAGE_STATES[letter.state],
  };
}
