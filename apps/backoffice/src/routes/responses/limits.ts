import { z } from 'zod';
import { amount, count, environmentName, moment } from './fields';

const setBy = z.enum(['Operator', 'Ancestor']);
const amountLimit = z.strictObject({ limit: amount, setBy }).nullable();
const countLimit = z.strictObject({ limit: count, setBy }).nullable();
const own = {
  maxOrderAmount: amount.nullable(),
  dailySpend: amount.nullable(),
  dailyOrdersPerPhone: count.nullable(),
};

/** The limits that operators have set for a partner; null for none. */
export const partnerLimitsResponse = z
  .strictObject({ partnerId: z.string(), environment: environmentName, ...own })
  .meta({ id: 'PartnerLimits' });

/** The limits that hold for a partner, who set which, and what is spent of them (spec §17.5). */
export const limitsInForceResponse = z
  .strictObject({
    partnerId: z.string(),
    environment: environmentName,
    maxOrderAmount: amountLimit,
    dailySpend: amountLimit,
    dailyOrdersPerPhone: countLimit,
    spentToday: amount,
    resetsAt: moment,
    settings: z.array(
      z.strictObject({ setBy, ancestorPartnerId: z.string().nullable(), ...own, setAt: moment }),
    ),
  })
  .meta({ id: 'LimitsInForce' });
