import { z } from 'zod';
import { count, moment, pageOfItems } from './fields';

const fields = {
  id: z.string(),
  service: z.enum(['finance', 'scent-commerce', 'notifier']),
  group: z.string(),
  eventId: z.string(),
  topic: z.string(),
  type: z.string(),
  aggregateId: z.string(),
  aggregateSeq: count,
  reason: z.enum(['Undecodable', 'RuleBroken', 'EndsProcess']),
  explanation: z.strictObject({ what: z.string(), where: z.string(), whatToDo: z.string() }),
  attempts: count,
  firstFailedAt: moment,
  lastFailedAt: moment,
  state: z.enum(['Waiting', 'Redriven', 'Dismissed']),
  decidedBy: z.string().nullable(),
  decidedAt: moment.nullable(),
  notes: z.string().nullable(),
};

/** An event that a consumer gave up. */
export const deadLetterRow = z.strictObject(fields).meta({ id: 'DeadLetter' });

/** A page of them. */
export const deadLettersPage = pageOfItems(deadLetterRow);

/** The same with the event as it was stored, its payload in base64, and the error in full. */
export const deadLetterResponse = z
  .strictObject({
    ...fields,
    occurredAt: moment,
    headers: z.record(z.string(), z.string()),
    payload: z.base64(),
    detail: z.string(),
  })
  .meta({ id: 'StoredDeadLetter' });

/** What came of redriving many. */
export const redriveResponse = z
  .strictObject({
    redriven: count,
    failed: count.meta({ description: 'How many are still wrong and wait.' }),
    isComplete: z.boolean().meta({ description: 'Whether all were tried.' }),
  })
  .meta({ id: 'Redrive' });
