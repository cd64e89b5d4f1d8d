import {
  present,
  presentLimitSetter,
  presentLimitsInForce,
  presentRequiredMoment,
  presentSpendingLimits,
} from '@reseller/presenters';
import { z } from 'zod';
import { amountOrZero, environment, EXAMPLE_ID, uuid, wholeNumber } from './fields';
import { limitsInForceResponse, partnerLimitsResponse } from './responses/limits';
import { defineRoute, type OpsRoute } from './route';
import { presentEnvironment } from './values.presenter';

const path = '/ops/v1/partners/{id}/limits';
const params = z.object({ id: uuid });
const exampleParams = { id: EXAMPLE_ID };
const MOST_ORDERS = 1_000_000;

const body = z.strictObject({
  environment,
  maxOrderAmount: amountOrZero.nullish(),
  dailySpend: amountOrZero.nullish(),
  dailyOrdersPerPhone: wholeNumber(0, MOST_ORDERS).nullish(),
});

const limitsOf = ({ maxOrderAmount, dailySpend, dailyOrdersPerPhone }: z.output<typeof body>) => ({
  maxOrderAmount: maxOrderAmount ?? undefined,
  dailySpend: dailySpend ?? undefined,
  dailyOrdersPerPhone: dailyOrdersPerPhone ?? undefined,
});

const setLimits = defineRoute({
  method: 'PUT',
  path,
  role: 'finance',
  summary: 'Replace the operators’ limits on what a partner may spend; null or absent for none',
  params,
  body,
  response: partnerLimitsResponse,
  examples: {
    params: exampleParams,
    body: { environment: 'sandbox', maxOrderAmount: 200, dailySpend: 5000, dailyOrdersPerPhone: 3 },
  },
  async audit({ params: { id: partnerId }, body, call, clients }) {
    // Finance sets limits for any id; that the partner exists is identity's to say.
    await clients.partners.getPartner({ partnerId }, call);
    const { maxOrderAmount = null, dailySpend = null, dailyOrdersPerPhone = null } = body;
    const limits = { maxOrderAmount, dailySpend, dailyOrdersPerPhone };
    const details = { environment: presentEnvironment(body.environment), ...limits };
    return { action: 'partner.limits', partnerId, details };
  },
  async handle({ params: { id: partnerId }, body, call, clients }) {
    const request = { partnerId, environment: body.environment, limits: limitsOf(body) };
    const { setting } = await clients.spendingLimits.setPartnerLimits(request, call);
    return {
      partnerId,
      environment: presentEnvironment(body.environment),
      ...presentSpendingLimits(present(setting, 'setting').limits),
    };
  },
});

const getLimits = defineRoute({
  method: 'GET',
  path,
  role: 'viewer',
  summary: 'The limits that hold for a partner, who set which, and what it has spent today',
  params,
  query: z.object({ environment }),
  response: limitsInForceResponse,
  examples: { params: exampleParams, query: { environment: 'sandbox' } },
  async handle({ params: { id: partnerId }, query, call, clients }) {
    await clients.partners.getPartner({ partnerId }, call);
    const request = { partnerId, environment: query.environment };
    const { limits, settings } = await clients.spendingLimits.getPartnerLimits(request, call);
    return {
      partnerId,
      environment: presentEnvironment(query.environment),
      ...presentLimitsInForce(present(limits, 'limits')),
      settings: settings.map(({ setBy, ancestorPartnerId, limits: set, setAt }) => ({
        setBy: presentLimitSetter(setBy),
        ancestorPartnerId: ancestorPartnerId ?? null,
        ...presentSpendingLimits(set),
        setAt: presentRequiredMoment(setAt, 'set_at'),
      })),
    };
  },
});

/** What operators let partners spend. */
export const limitRoutes: readonly OpsRoute[] = [getLimits, setLimits];
