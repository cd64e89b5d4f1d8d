import type { PageRequest } from '@reseller/contracts';
import {
  isCheckViolation,
  pageBounds,
  query,
  type PreparedStatement,
  type Queryable,
} from '@reseller/database';
import { AppError } from '@reseller/errors';
import type { BackInStockRegistration, PrismaClient } from '../generated/prisma/client';
import type { Owner } from '../owner';

/** What the check active_registration_limit holds (spec §14.4). */
const MOST_ACTIVE = 10_000;

/** A stored registration. */
export interface RegistrationRecord {
  id: string;
  variantId: string;
  sku: string;
  customerRef: string | null;
  status: 'Active' | 'Notified' | 'Cancelled';
  createdAt: Date;
  notifiedAt: Date | null;
}

// Raw: the share lock makes a registration and a rise of the stock wait for each other. Without it one that commits while the
// rise is under way would be notified of neither this rise nor a later one. It blocks no other registration.
const REGISTER: PreparedStatement = {
  name: 'back_in_stock_register',
  text: `WITH stock AS (
           SELECT t.variant_id FROM stock_levels t WHERE t.variant_id = $3 AND t.environment = $2 AND t.is_active FOR SHARE)
         INSERT INTO back_in_stock_registrations AS r (partner_id, environment, variant_id, customer_ref)
         SELECT $1, $2, stock.variant_id, $4 FROM stock
         ON CONFLICT (variant_id, partner_id, environment, customer_ref) WHERE status = 'Active'
         DO UPDATE SET status = r.status
         RETURNING r.id, r.variant_id AS "variantId", (SELECT v.sku FROM variants v WHERE v.id = r.variant_id) AS sku,
           r.customer_ref AS "customerRef", r.status, r.created_at AS "createdAt", r.notified_at AS "notifiedAt"`,
};

const withSku = { variant: { select: { sku: true } } } as const;

/** Keeps the back-in-stock registrations of one partner and environment. */
export class RegistrationRepository {
  constructor(
    private readonly prisma: PrismaClient,
    private readonly db: Queryable,
  ) {}

  /**
   * The Active registration of a variant and customer, made if there is none; undefined for an unknown or inactive variant.
   * Throws BUSINESS_RESOURCE_LIMIT for one too many.
   */
  async register(
    { partnerId, environment }: Owner,
    { variantId, customerRef }: { variantId: string; customerRef: string | undefined },
  ): Promise<RegistrationRecord | undefined> {
    const values = [partnerId, environment, variantId, customerRef ?? null];
    try {
      return (await query<RegistrationRecord>(this.db, REGISTER, values))[0];
    } catch (error) {
      if (!isCheckViolation(error, 'active_registration_limit')) throw error;
      throw new AppError('BUSINESS_RESOURCE_LIMIT', { limit: MOST_ACTIVE }, { cause: error });
    }
  }

  /** A page of registrations of every status, newest first, and how many there are. */
  async list(
    { partnerId, environment }: Owner,
    page: PageRequest | undefined,
  ): Promise<{ registrations: RegistrationRecord[]; totalCount: number }> {
    const { limit: take, offset: skip } = pageBounds(page);
    const where = { partnerId, environment };
    const [rows, totalCount] = await Promise.all([
      this.prisma.backInStockRegistration.findMany({
        where,
        include: withSku,
        orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
        take,
        skip,
      }),
      this.prisma.backInStockRegistration.count({ where }),
    ]);
    return { registrations: rows.map(toRecord), totalCount };
  }

  /** Cancels an Active registration; one that is no longer Active is returned as it is, an unknown one as undefined. */
  async cancel({ partnerId, environment }: Owner, id: string): Promise<RegistrationRecord | undefined> {
    const where = { partnerId, environment, id };
    await this.prisma.backInStockRegistration.updateMany({
      where: { ...where, status: 'Active' },
      data: { status: 'Cancelled' },
    });
    const row = await this.prisma.backInStockRegistration.findUnique({ where, include: withSku });
    return row ? toRecord(row) : undefined;
  }
}

function toRecord(row: BackInStockRegistration & { variant: { sku: string } }): RegistrationRecord {
  const { id, variantId, customerRef, createdAt, notifiedAt, variant } = row;
  const status = row.status as RegistrationRecord['status'];
  return { id, variantId, sku: variant.sku, customerRef, status, createdAt, notifiedAt };
}
