import { CheckoutServiceService, Environment } from '@reseller/contracts';
import { defineRpc, type RpcService } from '@reseller/rpc';
import { CartRequestCheck } from '../cart/domain/cart-rules';
import type { PartnerScope } from '../partner-scope';
import { beginCheckout, type CheckoutParts } from './begin-checkout';
import { cancelCheckout, commitCheckout, giveBackDiscount, restockCheckout } from './end-checkout';

const ENVIRONMENTS: Partial<Record<Environment, PartnerScope['environment']>> = {
  [Environment.SANDBOX]: 'sandbox',
  [Environment.LIVE]: 'live',
};

/** Serves reseller.scent.v1.CheckoutService. */
export function createCheckoutService(parts: CheckoutParts): RpcService {
  return defineRpc(CheckoutServiceService, {
    async beginCheckout(request, call) {
      const check = new CartRequestCheck();
      const { orderKey, scope } = read(check, request);
      const owner = { ...scope, path: undefined, customerRef: check.customerRef(request.customerRef) };
      const lockId = request.lockId === undefined ? undefined : check.uuid('lockId', request.lockId);
      check.end();
      return {
        checkout: await beginCheckout(parts, owner, { request: { ...request, orderKey, lockId }, call }),
      };
    },
    async commitCheckout(request) {
      const { orderKey, scope } = readWhole(request);
      await commitCheckout(parts, scope, orderKey);
      return {};
    },
    async cancelCheckout(request) {
      const { orderKey, scope } = readWhole(request);
      await cancelCheckout(parts, scope, orderKey);
      return {};
    },
    async restockUnits(request) {
      const check = new CartRequestCheck();
      const { orderKey, scope } = read(check, request);
      const restockKey = check.key('restockKey', request.restockKey);
      const lines = request.lines.map((line, index) => ({
        variantId: check.uuid(`lines.${index}.variantId`, line.variantId),
        quantity: check.quantity(`lines.${index}.quantity`, line.quantity, 1),
      }));
      check.end();
      await restockCheckout(parts, scope, { orderKey, restockKey, lines });
      return {};
    },
    async giveBackRedemption(request) {
      const { orderKey, scope } = readWhole(request);
      await giveBackDiscount(parts, scope, orderKey);
      return {};
    },
  });
}

interface Named {
  orderKey: string;
  partnerId: string;
  environment: Environment;
}

function read(check: CartRequestCheck, request: Named): { orderKey: string; scope: PartnerScope } {
  const environment = ENVIRONMENTS[request.environment];
  if (!environment) check.fault('environment', 'must be sandbox or live');
  const orderKey = check.key('orderKey', request.orderKey);
  return {
    orderKey,
    scope: { partnerId: check.uuid('partnerId', request.partnerId), environment: environment ?? 'sandbox' },
  };
}

function readWhole(request: Named): { orderKey: string; scope: PartnerScope } {
  const check = new CartRequestCheck();
  const named = read(check, request);
  check.end();
  return named;
}
