import { present, presentPage, WEBHOOK_DELIVERY_STATUSES, webhookDeliveryStatus } from '@reseller/presenters';
import { z } from 'zod';
import { presentDeliveryRow } from '../presenters/webhook-delivery.presenter';
import { recordChange } from '../record-change';
import { pageOf, pageQuery, uuid } from './fields';
import { callOf, defineOpsRoute, type OpsRoute, type RouteDeps } from './ops-route';

const listQuery = z.object({ ...pageQuery, status: z.enum(WEBHOOK_DELIVERY_STATUSES).optional() });

/** Every partner's webhook deliveries, and sending one again. */
export function webhookDeliveryRoutes({ clients }: RouteDeps): OpsRoute[] {
  const { deliveries } = clients;
  return [
    defineOpsRoute({
      method: 'GET',
      path: '/ops/v1/webhook-deliveries',
      query: listQuery,
      async handle(input) {
        const { query } = input;
        const request = { page: pageOf(query), status: webhookDeliveryStatus(query.status) };
        const answer = await deliveries.listAllWebhookDeliveries(request, callOf(input));
        return presentPage(answer.deliveries, answer.page, presentDeliveryRow);
      },
    }),
    defineOpsRoute({
      method: 'POST',
      path: '/ops/v1/webhook-deliveries/{id}/redeliver',
      params: z.object({ id: uuid }),
      async handle(input) {
        const call = callOf(input);
        const request = { deliveryId: input.params.id };
        const known = present((await deliveries.getAnyWebhookDelivery(request, call)).delivery, 'delivery');
        const { partnerId, eventId, subscriptionId } = known;
        const details = { eventId, subscriptionId };
        const change = { action: 'webhook-delivery.redeliver', partnerId, subject: known.id, details };
        await recordChange(clients, change, call);
        const { delivery } = await deliveries.redeliverAnyWebhookDelivery(request, call);
        return presentDeliveryRow(present(delivery, 'delivery'));
      },
    }),
  ];
}
