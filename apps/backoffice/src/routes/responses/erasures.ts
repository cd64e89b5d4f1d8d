import { z } from 'zod';
import { count, moment, pageOfItems } from './fields';

const status = z.enum(['Running', 'Completed']);

/** The erasure of one recipient, and how far it is in each service. */
export const erasureResponse = z
  .strictObject({
    id: z.string(),
    status,
    kind: z.enum(['email', 'phoneNumber']),
    subjectHash: z.string().meta({ description: 'Of the recipient, who is not kept.' }),
    reason: z.string(),
    requestedBy: z.string(),
    requestedAt: moment,
    completedAt: moment.nullable(),
    services: z.array(z.strictObject({ name: z.string(), status, rows: count })),
  })
  .meta({ id: 'Erasure' });

/** A page of erasures. */
export const erasuresPage = pageOfItems(erasureResponse);
