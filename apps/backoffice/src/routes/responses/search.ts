import { z } from 'zod';
import { orderRow } from './orders';
import { partnerResponse } from './partners';
import { webhookDeliveryRow } from './webhook-deliveries';

/** What a text names, at most twenty of each kind (spec §18.7). */
export const searchResponse = z
  .strictObject({
    partners: z.array(partnerResponse),
    orders: z.array(orderRow),
    deliveries: z.array(webhookDeliveryRow),
  })
  .meta({ id: 'Found' });
