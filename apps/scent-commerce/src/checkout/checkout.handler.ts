import type { CheckoutServiceService, Environment } from '@reseller/contracts';
import { RequestCheck, type RpcHandlers } from '@reseller/rpc';
import { checkCustomerRef, checkQuantity } from '../cart/domain/cart-rules';
import type { Owner } from '../owner';
import { beginCheckout, type BeginCheckoutDeps } from './begin-checkout';
import { cancelCheckout } from './cancel-checkout';
import { commitCheckout } from './commit-checkout';
import { checkKey } from './domain/order-key';
import { giveBackOrderRedemption } from './give-back-redemption';
import { restockUnits } from './restock-units';

/** Serves reseller.scent.v1.CheckoutService. */
export function createCheckoutHandlers(deps: BeginCheckoutDeps): RpcHandlers<typeof CheckoutServiceService> {
  return {
    async beginCheckout(request, call) {
      const check = new RequestCheck();
      const { orderKey, owner } = readOrder(check, request);
      const customerRef = checkCustomerRef(check, request.customerRef);
      const lockId = request.lockId === undefined ? undefined : check.uuid('lockId', request.lockId);
      check.end();
      const cartOwner = { ...owner, path: undefined, customerRef };
      const checkout = await beginCheckout(deps, cartOwner, {
        request: { ...request, orderKey, lockId },
        call,
      });
      return { checkout };
    },
    async commitCheckout(request, call) {
      const { orderKey, owner } = orderOf(request);
      await commitCheckout(deps, owner, orderKey, call);
      return {};
    },
    async cancelCheckout(request) {
      const { orderKey, owner } = orderOf(request);
      await cancelCheckout(deps, owner, orderKey);
      return {};
    },
    async restockUnits(request) {
      const check = new RequestCheck();
      const { orderKey, owner } = readOrder(check, request);
      const restockKey = checkKey(check, 'restockKey', request.restockKey);
      const lines = request.lines.map((line, index) => ({
        variantId: check.uuid(`lines.${index}.variantId`, line.variantId),
        quantity: checkQuantity(check, { path: `lines.${index}.quantity`, value: line.quantity, least: 1 }),
      }));
      if (new Set(lines.map(({ variantId }) => variantId)).size < lines.length)
        check.fault('lines', 'must name each variant once');
      check.end();
      await restockUnits(deps, owner, { orderKey, restockKey, lines });
      return {};
    },
    async giveBackRedemption(request) {
      const { orderKey, owner } = orderOf(request);
      await giveBackOrderRedemption(deps, owner, orderKey);
      return {};
    },
  };
}

interface OrderRequest {
  orderKey: string;
  partnerId: string;
  environment: Environment;
}

function readOrder(check: RequestCheck, request: OrderRequest): { orderKey: string; owner: Owner } {
  const orderKey = checkKey(check, 'orderKey', request.orderKey);
  return { orderKey, owner: check.owner(request) };
}

function orderOf(request: OrderRequest): { orderKey: string; owner: Owner } {
  const check = new RequestCheck();
  const order = readOrder(check, request);
  check.end();
  return order;
}
