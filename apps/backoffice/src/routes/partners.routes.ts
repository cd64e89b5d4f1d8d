import type { Partner } from '@reseller/contracts';
import { isEmailAddress } from '@reseller/errors';
import { isCurrencyCode } from '@reseller/money';
import { present, presentOptionalAmount, presentPage, presentRequiredMoment } from '@reseller/presenters';
import type { CallContext } from '@reseller/rpc';
import type { Logger } from 'pino';
import { z } from 'zod';
import type { Clients } from '../clients';
import { csvOf } from './csv-export';
import { EXAMPLE_ID, fraction, pageOf, pageQuery, printable, uuid } from './fields';
import { partnerResponse, partnersPage } from './responses/partners';
import { defineRoute, type OpsRoute } from './route';

const params = z.object({ id: uuid });

const language = z.enum(['en', 'ar']);

const settings = {
  parentPartnerId: uuid.nullish(),
  displayCurrency: z
    .string()
    .refine(isCurrencyCode, 'must be an ISO 4217 currency code')
    .meta({ description: 'An ISO 4217 code.', pattern: '^[A-Z]{3}$' })
    .nullish(),
  taxRegistrationNumber: printable(64).nullish(),
  commissionRate: fraction.nullish(),
  billingEmail: z
    .string()
    .refine(isEmailAddress, 'must be an e-mail address of at most 254 characters')
    .meta({ format: 'email', maxLength: 254 })
    .nullish(),
};

const createPartner = defineRoute({
  method: 'POST',
  path: '/ops/v1/partners',
  role: 'partners',
  summary: 'Register a partner',
  body: z.strictObject({
    name: printable(200),
    ...settings,
    isVatRegistered: z.boolean().nullish(),
    marketingEnabled: z.boolean().nullish(),
    language: language.nullish(),
  }),
  response: partnerResponse,
  examples: { body: { name: 'Contoso', displayCurrency: 'EUR' } },
  async handle({ body, call, clients, log }) {
    const request = {
      name: body.name,
      parentPartnerId: body.parentPartnerId ?? undefined,
      displayCurrency: body.displayCurrency ?? undefined,
      isVatRegistered: body.isVatRegistered ?? undefined,
      taxRegistrationNumber: body.taxRegistrationNumber ?? undefined,
      commissionRate: body.commissionRate ?? undefined,
      marketingEnabled: body.marketingEnabled ?? undefined,
      billingEmail: body.billingEmail ?? undefined,
      language: body.language ?? undefined,
    };
    const { partner } = await clients.partners.createPartner(request, call);
    await awaitProjections(clients, log, present(partner, 'partner'), call);
    return presentPartner(partner);
  },
});

const updatePartner = defineRoute({
  method: 'PATCH',
  path: '/ops/v1/partners/{id}',
  role: 'partners',
  summary: 'Change what is given of a partner; null clears a nullable setting',
  params,
  body: z.strictObject({
    name: printable(200).optional(),
    ...settings,
    isVatRegistered: z.boolean().optional(),
    marketingEnabled: z.boolean().optional(),
    language: language.optional(),
    isActive: z.boolean().optional(),
  }),
  response: partnerResponse,
  examples: { params: { id: EXAMPLE_ID }, body: { displayCurrency: null, isActive: false } },
  async handle({ params: { id }, body, call, clients, log }) {
    const request = {
      partnerId: id,
      name: body.name,
      isActive: body.isActive,
      isVatRegistered: body.isVatRegistered,
      marketingEnabled: body.marketingEnabled,
      parentPartnerId: clearable(body.parentPartnerId),
      displayCurrency: clearable(body.displayCurrency),
      taxRegistrationNumber: clearable(body.taxRegistrationNumber),
      commissionRate: clearable(body.commissionRate),
      billingEmail: clearable(body.billingEmail),
      language: body.language,
    };
    const { partner } = await clients.partners.updatePartner(request, call);
    await awaitProjections(clients, log, present(partner, 'partner'), call);
    return presentPartner(partner);
  },
});

/** null clears a setting; the contract says that with an empty string. */
const clearable = (value: string | null | undefined): string | undefined => (value === null ? '' : value);

/** How long an operator waits until those who price have seen a change. */
const PROJECTION_WAIT = { deadlineMs: 2_000 };

/** So that the next read of a balance or a price shows the change; the change itself stands either way. */
function awaitProjections(
  { rates, scentPartners }: Clients,
  log: Logger,
  { id: partnerId, version }: Partner,
  call: CallContext,
): Promise<void> {
  const request = { partnerId, version };
  return untilSeen(log, call, request, [
    ['finance', rates.awaitPartnerVersion(request, call, PROJECTION_WAIT)],
    ['scent-commerce', scentPartners.awaitPartnerSettings(request, call, PROJECTION_WAIT)],
  ]);
}

/** The change is committed: whatever goes wrong from here on fails nothing (spec §3.3). */
async function untilSeen(
  log: Logger,
  { requestId }: CallContext,
  change: { partnerId: string; version: number },
  services: [service: string, seen: Promise<{ isSeen: boolean }>][],
): Promise<void> {
  await Promise.all(
    services.map(async ([service, seen]) => {
      const { isSeen, err } = await seen.then(
        (response) => ({ ...response, err: undefined }),
        (error: unknown) => ({ isSeen: false, err: error }),
      );
      if (!isSeen)
        log.warn({ service, ...change, requestId, err }, 'a service has not seen a change of a partner yet');
    }),
  );
}

const setFrozen = (verb: 'freeze' | 'unfreeze', isFrozen: boolean, summary: string): OpsRoute =>
  defineRoute({
    method: 'POST',
    path: `/ops/v1/partners/{id}/${verb}`,
    role: 'partners',
    summary,
    params,
    response: partnerResponse,
    examples: { params: { id: EXAMPLE_ID } },
    async handle({ params: { id }, call, clients, log }) {
      const { partner } = await clients.partners.setPartnerFrozen({ partnerId: id, isFrozen }, call);
      const { version } = present(partner, 'partner');
      const request = { partnerId: id, version };
      await untilSeen(log, call, request, [
        ['notifier', clients.deliveries.awaitPartnerFreeze(request, call, PROJECTION_WAIT)],
      ]);
      return presentPartner(partner);
    },
  });

const freezePartner = setFrozen('freeze', true, 'Refuse every token of a partner and of those below it');
const unfreezePartner = setFrozen('unfreeze', false, 'End the partner’s own freeze');

const listPartners = defineRoute({
  method: 'GET',
  path: '/ops/v1/partners',
  role: 'viewer',
  summary: 'A page of partners, newest first; of those right below one where it is named',
  query: z.object({ ...pageQuery, parentPartnerId: uuid.optional() }),
  response: partnersPage,
  async handle({ query, call, clients }) {
    const request = { page: pageOf(query), parentPartnerId: query.parentPartnerId };
    const { partners, page } = await clients.partners.listPartners(request, call);
    return presentPage(partners, page, presentPartner);
  },
});

const getPartner = defineRoute({
  method: 'GET',
  path: '/ops/v1/partners/{id}',
  role: 'viewer',
  summary: 'One partner',
  params,
  response: partnerResponse,
  examples: { params: { id: EXAMPLE_ID } },
  async handle({ params: { id }, call, clients }) {
    return presentPartner((await clients.partners.getPartner({ partnerId: id }, call)).partner);
  },
});

/** The commission rate is a fraction. */
export function presentPartner(message: Partner | undefined) {
  const partner = present(message, 'partner');
  return {
    id: partner.id,
    globalId: partner.globalId,
    name: partner.name,
    parentPartnerId: partner.parentPartnerId ?? null,
    path: partner.path,
    isActive: partner.isActive,
    isFrozen: partner.isFrozen,
    displayCurrency: partner.displayCurrency ?? null,
    isVatRegistered: partner.isVatRegistered,
    taxRegistrationNumber: partner.taxRegistrationNumber ?? null,
    commissionRate: presentOptionalAmount(partner.commissionRate),
    marketingEnabled: partner.marketingEnabled,
    billingEmail: partner.billingEmail ?? null,
    language: partner.language === 'ar' ? ('ar' as const) : ('en' as const),
    version: partner.version,
    createdAt: presentRequiredMoment(partner.createdAt, 'created_at'),
  };
}

/** Registering partners, changing and reading them; identity audits changes. */
export const partnerRoutes: readonly OpsRoute[] = [
  createPartner,
  updatePartner,
  freezePartner,
  unfreezePartner,
  listPartners,
  csvOf(listPartners, { row: partnerResponse, key: 'id' }),
  getPartner,
];
