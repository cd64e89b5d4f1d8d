import type { Product, VendorTerms } from '../product';
import { VENDOR_DECISIONS } from './vendor-decisions';
import { allowedVendorFunds } from './vendor-funds';
import { VENDOR_MOVES, VENDOR_UNDERWAY } from './vendor-moves';
import { vendorOrderPlan } from './vendor-order.plan';

/** What the products have in common that a vendor delivers: moves, decisions and the saga, by the product's own terms. */
export function vendorProduct(
  terms: VendorTerms,
): Pick<Product, 'moves' | 'underway' | 'decisions' | 'plan' | 'allowedFunds' | 'vendor'> {
  return {
    moves: VENDOR_MOVES,
    underway: VENDOR_UNDERWAY,
    decisions: VENDOR_DECISIONS,
    plan: vendorOrderPlan(terms),
    allowedFunds: allowedVendorFunds,
    vendor: terms,
  };
}
