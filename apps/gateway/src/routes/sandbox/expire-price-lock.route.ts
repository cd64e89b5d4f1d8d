import { presentRequiredMoment } from '@reseller/presenters';
import { z } from 'zod';
import { noBody, uuid } from '../../fields/request-fields';
import { id, moment } from '../../fields/response-fields';
import { defineRoute } from '../route';

const exampleLock = {
  lockId: '019a2f44-5c2d-7e55-8b1a-3f4e5d6c7bb0',
  lockExpiresAt: '2026-01-15T09:45:00.000Z',
};

/** POST /api/v1/sandbox/price-locks/{lockId}/expire */
export const expirePriceLock = defineRoute({
  method: 'POST',
  path: '/api/v1/sandbox/price-locks/{lockId}/expire',
  tag: 'Sandbox',
  sandboxOnly: true,
  summary: 'Let a price lock expire',
  description:
    'Ends one of your price locks now; an order with it is then VALIDATION_PRICE_LOCK_EXPIRED. One that has expired is returned as it is.',
  params: z.object({ lockId: uuid('The lockId of a checkout preview.') }),
  body: noBody,
  response: z.strictObject({ lockId: id('The lock.'), lockExpiresAt: moment('When it expired.') }),
  errors: ['NOT_FOUND_PRICE_LOCK'],
  examples: { params: { lockId: exampleLock.lockId }, body: {}, response: exampleLock },
  async handle({ params, call, clients }) {
    const { lockId, lockExpiresAt } = await clients.carts.expireSandboxPriceLock(params, call);
    return { lockId, lockExpiresAt: presentRequiredMoment(lockExpiresAt, 'lock_expires_at') };
  },
});
