import { Environment } from '@reseller/contracts';
import type { CallContext } from '@reseller/rpc';
import type { TestDatabase } from '@reseller/testing';

/** What a discount code of a test is like, where it matters; 10 % off everything by default. */
interface CodeDraft {
  code: string;
  discountType?: 'Percent' | 'FixedAmount';
  value?: string;
  isActive?: boolean;
  totalUsageCap?: number;
  perCustomerCap?: 1;
  minOrderValue?: string;
  /** The variants it counts for; all when absent. */
  scopedVariantIds?: string[];
}

/** Makes a discount code of the call's partner; returns its id. */
export async function addCode(
  { pool }: Pick<TestDatabase, 'pool'>,
  { partner }: CallContext,
  draft: CodeDraft,
): Promise<string> {
  const { rows } = await pool.query<{ id: string }>(
    `INSERT INTO discount_codes (partner_id, environment, code, discount_type, value, is_active, total_usage_cap,
       per_customer_cap, min_order_value, product_scope, scoped_variant_ids)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) RETURNING id`,
    [
      partner?.partnerId,
      partner?.environment === Environment.LIVE ? 'live' : 'sandbox',
      draft.code,
      draft.discountType ?? 'Percent',
      draft.value ?? '10',
      draft.isActive ?? true,
      draft.totalUsageCap ?? null,
      draft.perCustomerCap ?? null,
      draft.minOrderValue ?? null,
      draft.scopedVariantIds ? 'VariantList' : 'All',
      draft.scopedVariantIds ?? [],
    ],
  );
  return rows[0]?.id ?? '';
}
