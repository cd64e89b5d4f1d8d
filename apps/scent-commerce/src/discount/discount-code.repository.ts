import type { PageRequest } from '@reseller/contracts';
import { pageBounds, query, type PreparedStatement, type Queryable } from '@reseller/database';
import { Prisma, type DiscountCode } from '../generated/prisma/client';
import type { Owner } from '../owner';
import type { DiscountType, ProductScope } from '../pricing/domain/terms';
import type { DiscountCodeState } from './domain/assess-discount-code';
import {
  fromStoredValue,
  storedForm,
  toStoredValue,
  type DiscountCodeRecord,
  type DiscountCodeTerms,
  type StoredValue,
} from './domain/discount-code';

const STATE = `SELECT c.id, c.partner_id AS "partnerId", c.code, c.discount_type AS "discountType", c.value,
    c.finer_value AS "finerValue",
    c.valid_from AS "validFrom", c.valid_to AS "validTo", c.is_active AS "isActive",
    c.total_usage_cap AS "totalUsageCap", c.per_customer_cap AS "perCustomerCap", c.product_scope AS "productScope",
    c.scoped_variant_ids AS "scopedVariantIds", c.min_order_value AS "minOrderValue", c.usage_count AS "usageCount",
    c.pending_count AS "pendingCount", c.created_at AS "createdAt", c.last_modified_at AS "lastModifiedAt",
    statement_timestamp() AS now,
    (SELECT count(*) FROM discount_redemptions d
     WHERE d.code_id = c.id AND d.customer_ref = $1 AND d.state <> 'GivenBack')::int AS "customerUses"
  FROM discount_codes c`;

// Raw: the code, its uses and the database's clock are read at one moment.
const FIND_STATE: PreparedStatement = {
  name: 'discount_codes_find_state',
  text: `${STATE} WHERE c.partner_id = $2 AND c.environment = $3 AND c.code = $4`,
};
type StateRow = DiscountCodeRecord & StoredValue & Pick<DiscountCodeState, 'now' | 'customerUses'>;

/** Reads and writes discount codes of one partner and environment. */
export class DiscountCodeRepository {
  constructor(
    private readonly prisma: Prisma.TransactionClient,
    private readonly db: Queryable,
  ) {}

  /** A page of codes, newest first, and how many there are; undefined does not filter. */
  async list(
    owner: Owner,
    isActive: boolean | undefined,
    page: PageRequest | undefined,
  ): Promise<{ codes: DiscountCodeRecord[]; totalCount: number }> {
    const { limit: take, offset: skip } = pageBounds(page);
    const where = { ...ownedBy(owner), ...(isActive !== undefined && { isActive }) };
    const [codes, totalCount] = await Promise.all([
      this.prisma.discountCode.findMany({
        where,
        orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
        take,
        skip,
      }),
      this.prisma.discountCode.count({ where }),
    ]);
    return { codes: codes.map(toRecord), totalCount };
  }

  /** The code, or undefined when the owner has none with this id. */
  async find(owner: Owner, id: string): Promise<DiscountCodeRecord | undefined> {
    const code = await this.prisma.discountCode.findUnique({ where: { ...ownedBy(owner), id } });
    return code ? toRecord(code) : undefined;
  }

  /** What is needed to assess a code as a customer typed it; undefined when it is unknown or none was named. */
  async findState(
    { partnerId, environment }: Owner,
    { code, customerRef }: { code: string | undefined; customerRef: string | undefined },
  ): Promise<DiscountCodeState | undefined> {
    const stored = code === undefined ? undefined : storedForm(code);
    if (stored === undefined) return undefined;
    const values = [customerRef ?? null, partnerId, environment, stored];
    return toState(await query<StateRow>(this.db, FIND_STATE, values));
  }

  /** Stores a new code; a unique violation of discount_codes_one_text when its text is taken, a check violation of discount_code_limit when there are too many. */
  async insert(owner: Owner, code: string, terms: DiscountCodeTerms): Promise<DiscountCodeRecord> {
    const data = { ...ownedBy(owner), code, ...terms, ...toStoredValue(terms.value) };
    return toRecord(await this.prisma.discountCode.create({ data }));
  }

  /** Replaces a code's terms and returns it, or undefined when the owner has none with this id. */
  async update(owner: Owner, id: string, terms: DiscountCodeTerms): Promise<DiscountCodeRecord | undefined> {
    const [updated] = await this.prisma.discountCode.updateManyAndReturn({
      where: { ...ownedBy(owner), id },
      data: { ...terms, ...toStoredValue(terms.value), lastModifiedAt: new Date() },
    });
    return updated && toRecord(updated);
  }

  /** Deletes a code and returns it as it was; a foreign key violation while an order has redeemed it or is about to. */
  async delete(owner: Owner, id: string): Promise<DiscountCodeRecord | undefined> {
    try {
      return toRecord(await this.prisma.discountCode.delete({ where: { ...ownedBy(owner), id } }));
    } catch (error) {
      if (isRecordNotFound(error)) return undefined;
      throw error;
    }
  }

  /** Where in the list there is no such variant. Variants are never deleted, so what exists stays. */
  async findMissingVariants(variantIds: string[]): Promise<number[]> {
    const found = await this.prisma.variant.findMany({
      where: { id: { in: variantIds } },
      select: { id: true },
    });
    const known = new Set(found.map(({ id }) => id));
    return variantIds.flatMap((id, index) => (known.has(id.toLowerCase()) ? [] : [index]));
  }
}

const ownedBy = ({ partnerId, environment }: Owner) => ({ partnerId, environment });

function toState([row]: StateRow[]): DiscountCodeState | undefined {
  if (!row) return undefined;
  const { now, customerUses, finerValue, ...code } = row;
  return { code: { ...code, value: fromStoredValue({ value: code.value, finerValue }) }, customerUses, now };
}

/** The table's CHECK constraints hold the two names to these types. */
function toRecord({ environment: _, value, finerValue, ...code }: DiscountCode): DiscountCodeRecord {
  return {
    ...code,
    discountType: code.discountType as DiscountType,
    productScope: code.productScope as ProductScope,
    value: fromStoredValue({ value: value.toFixed(), finerValue: finerValue?.toFixed() ?? null }),
    minOrderValue: code.minOrderValue?.toFixed(2) ?? null,
  };
}

const isRecordNotFound = (error: unknown): boolean =>
  error instanceof Prisma.PrismaClientKnownRequestError && error.code === 'P2025';
