import { z } from 'zod';
import { count, environmentName, moment, pageOfItems } from './fields';

/** The statuses in which a fulfillment group can still be moved. */
export const OPEN_GROUP_STATUSES = ['Pending', 'Shipped'] as const;

/** A fulfillment group that somebody has to ship or deliver. */
export const openGroupResponse = z
  .strictObject({
    id: z.string(),
    status: z.enum(OPEN_GROUP_STATUSES),
    orderGlobalId: z.string(),
    partnerId: z.string(),
    environment: environmentName,
    source: z.string().meta({ description: 'The warehouse.' }),
    submittedAt: moment,
    shippedAt: moment.nullable(),
    lines: z.array(z.strictObject({ sku: z.string(), quantity: count })),
  })
  .meta({ id: 'OpenFulfillmentGroup' });

/** A page of open groups. */
export const openGroupsPage = pageOfItems(openGroupResponse);
