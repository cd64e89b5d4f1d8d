import { randomUUID } from 'node:crypto';
import { newEsim, newTopup } from '../clients/bodies';
import { OperatorClient } from '../clients/operator-client';
import type { TestPartner } from '../clients/operator-client';
import type { PartnerClient } from '../clients/partner-client';
import { expectSuccess } from '../clients/response';
import { addToCart, newDiscountCode, Shelf } from '../clients/scents';
import type { WebhookWithSecret } from '../clients/resources';
import type { PlatformDescription } from '../platform/platform-file';
import type { Operation } from './operations';

/** Where the requests of a run go and whose they are: partners of its own, with a thing of every kind to spoil. */
export interface Arena {
  readonly platform: PlatformDescription;
  readonly operator: OperatorClient;
  /** Orders top-ups and eSIMs; its books are held to account afterwards. */
  readonly buyer: TestPartner;
  /** Fills carts. It never orders, and the buyer never has a cart: so no order of scents is left half way. */
  readonly browser: TestPartner;
  /** What operators change. */
  readonly victim: TestPartner;
  /** Ids that are there, by the parameter or field they stand for. */
  readonly ids: Readonly<Record<string, string>>;
}

const DEPOSIT = 1_000_000;

/** Makes the partners and their things. */
export async function createArena(platform: PlatformDescription): Promise<Arena> {
  const operator = new OperatorClient(platform);
  const buyer = await operator.newPartner({ deposit: DEPOSIT });
  const browser = await operator.newPartner({ deposit: DEPOSIT });
  const victim = await operator.newPartner({ deposit: DEPOSIT });
  const [first] = await new Shelf(operator).onOffer();
  if (!first) throw new Error('the catalog is empty');
  const client = buyer.sandbox;
  const topup = expectSuccess(await client.topup(newTopup()));
  const esim = expectSuccess(await client.esim(newEsim()));
  await addToCart(browser.sandbox, first.id, 1);
  const ids = {
    topup: topup.orderId,
    esim: esim.orderId,
    orderGlobalId: topup.orderGlobalId,
    externalReference: topup.externalReference,
    variantId: first.id,
    brandId: await firstId(client, '/scent/brands'),
    scentId: await firstId(client, '/scent/scents'),
    discountCodeId: (await newDiscountCode(browser.sandbox)).id,
    webhookId: await createWebhook(client),
    partnerId: victim.id,
    currency: 'EUR',
    ...buyer.credentials.sandbox,
  };
  return { platform, operator, buyer, browser, victim, ids };
}

async function firstId(client: PartnerClient, path: string): Promise<string> {
  const { items } = expectSuccess(await client.call<{ items: { id: string }[] }>(path));
  return items[0]?.id ?? randomUUID();
}

/** A subscription that nobody listens to. */
export const NOBODY = 'https://127.0.0.1:1/hook';

async function createWebhook(client: PartnerClient): Promise<string> {
  const body = { url: NOBODY, eventTypes: ['order.completed'] };
  const { payload, text } = await client.call<WebhookWithSecret | null>('/webhooks', { body });
  if (!payload) throw new Error(`no webhook: ${text}`);
  return payload.subscription.id;
}

/** Whose token a call carries when it has a sound one. */
export function tokenOf({ platform, buyer, browser }: Arena, operation: Operation): Promise<string> {
  if (operation.edge === 'backoffice') return Promise.resolve(platform.operatorToken);
  const partner = /^\/api\/v1\/scent\//.test(operation.path) ? browser : buyer;
  return partner.sandbox.accessToken();
}
