import { DiscountCodeServiceService, DiscountRefusal } from '@reseller/contracts';
import { toPageInfo, type KeyedCalls } from '@reseller/database';
import { AppError } from '@reseller/errors';
import { partnerScopeOf, type RpcHandlers } from '@reseller/rpc';
import { cartOwnerOf } from '../cart/cart-owner';
import { toDiscountMessage } from '../cart/cart.mapper';
import { checkIds } from '../check-ids';
import { checkDiscountCode, type CheckDiscountCodeDeps } from './check-discount-code';
import { deleteDiscountCode } from './delete-discount-code';
import { fromTerms, toDiscountCode } from './discount-code.mapper';
import type { DiscountCodeRepository } from './discount-code.repository';
import type { DiscountRefusal as RefusalName } from './domain/assess-discount-code';
import { createDiscountCode, updateDiscountCode } from './save-discount-code';

const REFUSALS: Record<RefusalName, DiscountRefusal> = {
  Unknown: DiscountRefusal.UNKNOWN,
  Inactive: DiscountRefusal.INACTIVE,
  NotStarted: DiscountRefusal.NOT_STARTED,
  Expired: DiscountRefusal.EXPIRED,
  UsageCapReached: DiscountRefusal.USAGE_CAP_REACHED,
  CustomerCapReached: DiscountRefusal.CUSTOMER_CAP_REACHED,
  CustomerRefRequired: DiscountRefusal.CUSTOMER_REF_REQUIRED,
  BelowMinimumOrder: DiscountRefusal.BELOW_MINIMUM_ORDER,
  NoEligibleLines: DiscountRefusal.NO_ELIGIBLE_LINES,
};

/** Serves reseller.scent.v1.DiscountCodeService. */
export function createDiscountCodeHandlers(
  deps: CheckDiscountCodeDeps & { keyedCodes: KeyedCalls<DiscountCodeRepository> },
): RpcHandlers<typeof DiscountCodeServiceService> {
  const { codes } = deps;
  return {
    async listDiscountCodes({ isActive, page }, call) {
      const found = await codes.list(partnerScopeOf(call), isActive, page);
      return { discountCodes: found.codes.map(toDiscountCode), page: toPageInfo(page, found.totalCount) };
    },
    async getDiscountCode({ id }, call) {
      const scope = partnerScopeOf(call);
      checkIds({ id });
      const code = await codes.find(scope, id);
      if (!code) throw new AppError('NOT_FOUND_DISCOUNT_CODE');
      return { discountCode: toDiscountCode(code) };
    },
    async createDiscountCode({ code, terms }, call) {
      const scope = partnerScopeOf(call);
      return deps.keyedCodes.run(call, DiscountCodeServiceService.createDiscountCode, async (own) => {
        const created = await createDiscountCode(own, scope, { code, terms: fromTerms(terms) });
        return { discountCode: toDiscountCode(created) };
      });
    },
    async updateDiscountCode({ id, terms }, call) {
      const scope = partnerScopeOf(call);
      checkIds({ id });
      const updated = await updateDiscountCode(codes, scope, { id, terms: fromTerms(terms) });
      return { discountCode: toDiscountCode(updated) };
    },
    async deleteDiscountCode({ id }, call) {
      const scope = partnerScopeOf(call);
      checkIds({ id });
      return { discountCode: toDiscountCode(await deleteDiscountCode(codes, scope, id)) };
    },
    async checkDiscountCode({ customerRef, code }, call) {
      const check = await checkDiscountCode(deps, cartOwnerOf(call, customerRef), code);
      return {
        code: check.code,
        refusal: check.refusal ? REFUSALS[check.refusal] : DiscountRefusal.UNSPECIFIED,
        discount: toDiscountMessage(check.discount),
      };
    },
  };
}
