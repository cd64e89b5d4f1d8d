import type { DeadLetter, DeadLetterReason } from './dead-letter';

const WHAT_TO_DO: Readonly<Record<DeadLetterReason, string>> = {
  Undecodable:
    'Compare the version of the publisher with that of the consumer, and see who else writes to the topic. Deploy a consumer that can read it and redrive it, or dismiss it when it says nothing worth having.',
  RuleBroken:
    'The publisher sent what no event of this type may say: mend the publisher first. Deploy a consumer that takes it and redrive it, or bring its effect about otherwise and dismiss it.',
  EndsProcess:
    'Look for what ended the instances at those times (memory, native faults, the log of the container). Redrive it only with a version that survives it: a redrive runs inside the live service and may end it again.',
};

/** What a person reads of a dead letter beside its message: where it failed, and what can be done. */
export function explain({ event, group, reason }: DeadLetter): { where: string; whatToDo: string } {
  const type = event.type || 'an event without a type';
  return {
    where: `${group} could not handle ${type}, number ${event.aggregateSeq} of ${event.aggregateId}, from ${event.topic}.`,
    whatToDo: WHAT_TO_DO[reason],
  };
}
