import { DiscountCodeServiceService } from '@reseller/contracts';
import { toPageInfo } from '@reseller/database';
import { AppError } from '@reseller/errors';
import { defineRpc, type RpcService } from '@reseller/rpc';
import { shopScopeOf } from '../shop-scope';
import { deleteDiscountCode } from './delete-discount-code';
import { fromTerms, toDiscountCode } from './discount-code-message';
import type { DiscountCodeRepository } from './discount-code.repository';
import { createDiscountCode, updateDiscountCode } from './save-discount-code';

/** DiscountCodeService over its use cases. */
export function createDiscountCodeService(codes: DiscountCodeRepository): RpcService {
  return defineRpc(DiscountCodeServiceService, {
    async listDiscountCodes({ isActive, page }, call) {
      const found = await codes.list(shopScopeOf(call), isActive, page);
      return { discountCodes: found.codes.map(toDiscountCode), page: toPageInfo(page, found.totalCount) };
    },
    async getDiscountCode({ id }, call) {
      const code = await codes.find(shopScopeOf(call), id);
      if (!code) throw new AppError('NOT_FOUND_DISCOUNT_CODE');
      return { discountCode: toDiscountCode(code) };
    },
    async createDiscountCode({ code, terms }, call) {
      const created = await createDiscountCode(codes, shopScopeOf(call), { code, terms: fromTerms(terms) });
      return { discountCode: toDiscountCode(created) };
    },
    async updateDiscountCode({ id, terms }, call) {
      const updated = await updateDiscountCode(codes, shopScopeOf(call), { id, terms: fromTerms(terms) });
      return { discountCode: toDiscountCode(updated) };
    },
    async deleteDiscountCode({ id }, call) {
      return { discountCode: toDiscountCode(await deleteDiscountCode(codes, shopScopeOf(call), id)) };
    },
  });
}
