import type { Partner } from '@reseller/contracts';
import { isAppError } from '@reseller/errors';
import { isCurrencyCode } from '@reseller/money';
import { present, presentPage } from '@reseller/presenters';
import type { CallContext } from '@reseller/rpc';
import { z } from 'zod';
import { presentPartner } from '../presenters/partner.presenter';
import { fraction, pageOf, pageQuery, text, uuid } from './fields';
import { callOf, defineOpsRoute, type OpsRoute, type RouteDeps } from './ops-route';

const idParams = z.object({ id: uuid });

const settings = {
  parentPartnerId: uuid.nullish(),
  displayCurrency: z.string().refine(isCurrencyCode, 'must be an ISO 4217 currency code').nullish(),
  taxRegistrationNumber: text(1, 64).nullish(),
  commissionRate: fraction.nullish(),
  billingEmail: text(1, 320).nullish(),
};

const newPartner = z.strictObject({
  name: text(1, 200),
  ...settings,
  isVatRegistered: z.boolean().nullish(),
  marketingEnabled: z.boolean().nullish(),
});

const changedPartner = z.strictObject({
  name: text(1, 200).optional(),
  ...settings,
  isVatRegistered: z.boolean().optional(),
  marketingEnabled: z.boolean().optional(),
  isActive: z.boolean().optional(),
});

/** How long an operator waits for those who price to have heard of a change. */
const PROJECTION_WAIT_MS = 2_000;

/** null clears a setting; the contract says that with an empty string. */
const clearable = (value: string | null | undefined): string | undefined => (value === null ? '' : value);

/** So that the next read of a balance or a price shows the change; the change itself stands either way. */
async function awaitProjections(
  { clients, log }: RouteDeps,
  partner: Partner,
  call: CallContext,
): Promise<void> {
  const request = { partnerId: partner.id, version: partner.version };
  const options = { deadlineMs: PROJECTION_WAIT_MS };
  const unlessLate = (service: string) => (error: unknown) => {
    if (!isAppError(error)) throw error;
    log.warn(
      { code: error.code, partnerId: partner.id, requestId: call.requestId },
      `${service} lags behind`,
    );
  };
  await Promise.all([
    clients.rates.awaitPartnerVersion(request, call, options).catch(unlessLate('finance')),
    clients.scentPartners.awaitPartnerSettings(request, call, options).catch(unlessLate('scent-commerce')),
  ]);
}

/** Registering partners, changing and reading them. */
export function partnerRoutes(deps: RouteDeps): OpsRoute[] {
  const { partners } = deps.clients;
  return [
    defineOpsRoute({
      method: 'POST',
      path: '/ops/v1/partners',
      body: newPartner,
      async handle(input) {
        const call = callOf(input);
        const { body } = input;
        const created = await partners.createPartner(
          {
            name: body.name,
            parentPartnerId: body.parentPartnerId ?? undefined,
            displayCurrency: body.displayCurrency ?? undefined,
            isVatRegistered: body.isVatRegistered ?? undefined,
            taxRegistrationNumber: body.taxRegistrationNumber ?? undefined,
            commissionRate: body.commissionRate ?? undefined,
            marketingEnabled: body.marketingEnabled ?? undefined,
            billingEmail: body.billingEmail ?? undefined,
          },
          call,
        );
        await awaitProjections(deps, present(created.partner, 'partner'), call);
        return presentPartner(created.partner);
      },
    }),
    defineOpsRoute({
      method: 'PATCH',
      path: '/ops/v1/partners/{id}',
      params: idParams,
      body: changedPartner,
      async handle(input) {
        const call = callOf(input);
        const { body } = input;
        const updated = await partners.updatePartner(
          {
            partnerId: input.params.id,
            name: body.name,
            isActive: body.isActive,
            isVatRegistered: body.isVatRegistered,
            marketingEnabled: body.marketingEnabled,
            parentPartnerId: clearable(body.parentPartnerId),
            displayCurrency: clearable(body.displayCurrency),
            taxRegistrationNumber: clearable(body.taxRegistrationNumber),
            commissionRate: clearable(body.commissionRate),
            billingEmail: clearable(body.billingEmail),
          },
          call,
        );
        await awaitProjections(deps, present(updated.partner, 'partner'), call);
        return presentPartner(updated.partner);
      },
    }),
    defineOpsRoute({
      method: 'GET',
      path: '/ops/v1/partners',
      query: z.object(pageQuery),
      async handle(input) {
        const answer = await partners.listPartners({ page: pageOf(input.query) }, callOf(input));
        return presentPage(answer.partners, answer.page, presentPartner);
      },
    }),
    defineOpsRoute({
      method: 'GET',
      path: '/ops/v1/partners/{id}',
      params: idParams,
      async handle(input) {
        const answer = await partners.getPartner({ partnerId: input.params.id }, callOf(input));
        return presentPartner(answer.partner);
      },
    }),
  ];
}
