import { AppError } from '@reseller/errors';
import { present, presentSpendingLimits } from '@reseller/presenters';
import { z } from 'zod';
import { environmentNameOf } from '@reseller/rpc';
import { uuid } from '../../fields/request-fields';
import { EXAMPLE_PARTNER_ID } from '../examples';
import { defineRoute } from '../route';
import { descendantLimits, limitsBody } from '../wallet/limits.resource';
import { auditAncestorsChange } from './audit-ancestors-change';

const path = '/api/v1/descendants/{partnerId}/limits';
const example = { maxOrderAmount: 200, dailySpend: 5000, dailyOrdersPerPhone: null };

/** PUT /api/v1/descendants/{partnerId}/limits */
export const setDescendantLimits = defineRoute({
  method: 'PUT',
  path,
  tag: 'Wallet',
  summary: 'Limit what a partner below you may spend',
  description:
    'Replaces the limits that you have set for this partner in the token’s environment; a field that is null or absent is ' +
    'no limit. They hold beside those that others have set: of several the lowest. With your own token, not a delegated ' +
    'one.',
  params: z.object({ partnerId: uuid('A partner below your own, at any depth.') }),
  body: limitsBody,
  response: descendantLimits,
  errors: ['FORBIDDEN_NOT_YOUR_DESCENDANT'],
  examples: {
    params: { partnerId: EXAMPLE_PARTNER_ID },
    body: example,
    response: { partnerId: EXAMPLE_PARTNER_ID, environment: 'live', ...example },
  },
  async handle({ params: { partnerId }, body, call, clients }) {
    const { partner } = call;
    if (!partner || partner.actingPartnerId) throw new AppError('FORBIDDEN_NOT_YOUR_DESCENDANT');
    const { maxOrderAmount = null, dailySpend = null, dailyOrdersPerPhone = null } = body;
    const environment = present(environmentNameOf(partner.environment), 'environment');
    await auditAncestorsChange(clients.audit, call, {
      action: `PUT ${path}`,
      partnerId,
      details: { environment, maxOrderAmount, dailySpend, dailyOrdersPerPhone },
    });
    const limits = {
      maxOrderAmount: maxOrderAmount ?? undefined,
      dailySpend: dailySpend ?? undefined,
      dailyOrdersPerPhone: dailyOrdersPerPhone ?? undefined,
    };
    const { setting } = await clients.spendingLimits.setDescendantLimits({ partnerId, limits }, call);
    return { partnerId, environment, ...presentSpendingLimits(setting?.limits) };
  },
});
