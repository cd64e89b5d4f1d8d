import { z } from 'zod';
import { count, moment, pageOfItems } from './fields';

const service = z.enum(['finance', 'orders-saga', 'scent-commerce']);

/** What does not agree, and how it was accepted, also when the figures are others by now. */
export const differenceRow = z
  .strictObject({
    id: z.string(),
    service,
    check: z.string(),
    kind: z.string(),
    subject: z.string(),
    expected: z.string(),
    found: z.string(),
    firstSeenAt: moment,
    lastSeenAt: moment,
    resolvedAt: moment.nullable(),
    state: z.enum(['Open', 'Accepted', 'Resolved']),
    acceptance: z
      .strictObject({
        expected: z.string(),
        found: z.string(),
        notes: z.string(),
        acceptedBy: z.string(),
        acceptedAt: moment,
      })
      .nullable(),
  })
  .meta({ id: 'Difference' });

/** A page of what does not agree. */
export const differencesPage = pageOfItems(differenceRow);

/** What a comparison of everything came to. */
export const reconciliationRunResponse = z
  .strictObject({
    since: moment,
    isComplete: z.boolean(),
    openDifferences: count,
    checks: z.array(
      z.strictObject({
        service,
        check: z.string(),
        compared: count,
        isComplete: z.boolean(),
        openDifferences: count,
        lastCompletedAt: moment.nullable(),
        failure: z.string().nullable(),
      }),
    ),
  })
  .meta({ id: 'ReconciliationRun' });
