import { productRoutes } from '../products';
import { createToken } from './auth/create-token.route';
import { cancelBackInStock } from './back-in-stock/cancel-back-in-stock.route';
import { listBackInStock } from './back-in-stock/list-back-in-stock.route';
import { registerBackInStock } from './back-in-stock/register-back-in-stock.route';
import { getCertification } from './certification/get-certification.route';
import { setDescendantLimits } from './descendants/set-descendant-limits.route';
import { checkDiscountCode } from './discount-codes/check-discount-code.route';
import { createDiscountCode } from './discount-codes/create-discount-code.route';
import { deleteDiscountCode } from './discount-codes/delete-discount-code.route';
import { getDiscountCode } from './discount-codes/get-discount-code.route';
import { listDiscountCodes } from './discount-codes/list-discount-codes.route';
import { updateDiscountCode } from './discount-codes/update-discount-code.route';
import { listEsimProducts } from './esim-products/list-esim-products.route';
import { getEvent } from './events/get-event.route';
import { listEvents } from './events/list-events.route';
import { listGeoScopes } from './geo-scopes/list-geo-scopes.route';
import { getOrderByGlobalId } from './orders/get-order-by-global-id.route';
import { getOrderTimeline } from './orders/get-order-timeline.route';
import { listOrders } from './orders/list-orders.route';
import { createReconciliation } from './reconciliations/create-reconciliation.route';
import { getReconciliation } from './reconciliations/get-reconciliation.route';
import { listDifferences } from './reconciliations/list-differences.route';
import { createReturnRequest } from './returns/create-return-request.route';
import { listReturnRequests } from './returns/list-return-requests.route';
import { nameRoutes, type NamedRoute } from './route';
import { approveReturn } from './sandbox/approve-return.route';
import { createStatement } from './sandbox/create-statement.route';
import { creditWallet } from './sandbox/credit-wallet.route';
import { resolveOrder, reverseOrder } from './sandbox/decide-order.routes';
import { declineReturn } from './sandbox/decline-return.route';
import { expirePriceLock } from './sandbox/expire-price-lock.route';
import { cancelGroup, deliverGroup, shipGroup } from './sandbox/move-group.routes';
import { getPriceExplanation } from './price-explanations/get-price-explanation.route';
import { addCartItem } from './scent-cart/add-cart-item.route';
import { clearCart } from './scent-cart/clear-cart.route';
import { getCart } from './scent-cart/get-cart.route';
import { previewCheckout } from './scent-cart/preview-checkout.route';
import { quotePrice } from './scent-cart/quote-price.route';
import { removeCartItem } from './scent-cart/remove-cart-item.route';
import { setCartItem } from './scent-cart/set-cart-item.route';
import { getBrand } from './scent-catalog/get-brand.route';
import { getScent } from './scent-catalog/get-scent.route';
import { getVariantAvailability } from './scent-catalog/get-variant-availability.route';
import { getVariant } from './scent-catalog/get-variant.route';
import { listBrands } from './scent-catalog/list-brands.route';
import { listScents } from './scent-catalog/list-scents.route';
import { listVariants } from './scent-catalog/list-variants.route';
import { getStatement } from './statements/get-statement.route';
import { getStatementPdf } from './statements/get-statement-pdf.route';
import { listStatements } from './statements/list-statements.route';
import { getWalletBalance } from './wallet/get-wallet-balance.route';
import { getWalletLimits } from './wallet/get-wallet-limits.route';
import { listWalletTransactions } from './wallet/list-wallet-transactions.route';
import { createWebhook } from './webhooks/create-webhook.route';
import { deleteWebhook } from './webhooks/delete-webhook.route';
import { diagnoseWebhook } from './webhooks/diagnose-webhook.route';
import { getWebhookDiagnosis } from './webhooks/get-webhook-diagnosis.route';
import { getWebhook } from './webhooks/get-webhook.route';
import { listWebhookDeliveries } from './webhooks/list-webhook-deliveries.route';
import { listWebhooks } from './webhooks/list-webhooks.route';
import { redeliverWebhookDelivery } from './webhooks/redeliver-webhook-delivery.route';
import { rotateWebhookSecret } from './webhooks/rotate-webhook-secret.route';
import { setWebhookActive } from './webhooks/set-webhook-active.route';
import { testFireWebhook } from './webhooks/test-fire-webhook.route';
import { updateWebhook } from './webhooks/update-webhook.route';

/** The public API: every endpoint, a line each, by the name that clients made from the document know it by. */
export const routes: readonly NamedRoute[] = nameRoutes({
  createToken,
  ...productRoutes(),
  getPriceExplanation,
  createReturnRequest,
  listReturnRequests,
  listOrders,
  getOrderByGlobalId,
  getOrderTimeline,
  registerBackInStock,
  listBackInStock,
  cancelBackInStock,
  checkDiscountCode,
  listDiscountCodes,
  createDiscountCode,
  getDiscountCode,
  updateDiscountCode,
  deleteDiscountCode,
  listGeoScopes,
  listEsimProducts,
  listBrands,
  getBrand,
  listScents,
  getScent,
  listVariants,
  getVariant,
  getVariantAvailability,
  quotePrice,
  getCart,
  clearCart,
  addCartItem,
  setCartItem,
  removeCartItem,
  previewCheckout,
  getWalletBalance,
  getWalletLimits,
  setDescendantLimits,
  listWalletTransactions,
  listStatements,
  getStatement,
  getStatementPdf,
  createWebhook,
  listWebhooks,
  getWebhook,
  updateWebhook,
  deleteWebhook,
  setWebhookActive,
  rotateWebhookSecret,
  testFireWebhook,
  diagnoseWebhook,
  getWebhookDiagnosis,
  listWebhookDeliveries,
  redeliverWebhookDelivery,
  listEvents,
  getEvent,
  createReconciliation,
  getReconciliation,
  listDifferences,
  shipGroup,
  deliverGroup,
  cancelGroup,
  approveReturn,
  declineReturn,
  resolveOrder,
  reverseOrder,
  creditWallet,
  createStatement,
  expirePriceLock,
  getCertification,
});
