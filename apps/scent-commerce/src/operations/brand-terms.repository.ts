import type { PageInfo, PageRequest } from '@reseller/contracts';
import { pageBounds, toPageInfo } from '@reseller/database';
import type { Brand, PrismaClient } from '../generated/prisma/client';

/** A brand with its own commission rate, a fraction; null where the default holds. */
export interface BrandTermsRecord {
  id: string;
  name: string;
  commissionRate: string | null;
}

/** Keeps what operators agree with brands. */
export class BrandTermsRepository {
  constructor(private readonly prisma: PrismaClient) {}

  /** By name, with the exact total. */
  async list(page: PageRequest | undefined): Promise<{ brands: BrandTermsRecord[]; page: PageInfo }> {
    const { limit: take, offset: skip } = pageBounds(page);
    const [brands, total] = await Promise.all([
      this.prisma.brand.findMany({ orderBy: [{ name: 'asc' }, { id: 'asc' }], take, skip }),
      this.prisma.brand.count(),
    ]);
    return { brands: brands.map(toRecord), page: toPageInfo(page, total) };
  }

  /** Sets the rate, clears it with null, leaves it with undefined; undefined for an unknown brand. */
  async setRate(id: string, rate: string | null | undefined): Promise<BrandTermsRecord | undefined> {
    if (rate !== undefined) {
      await this.prisma.brand.updateMany({ where: { id }, data: { commissionRate: rate } });
    }
    const brand = await this.prisma.brand.findUnique({ where: { id } });
    return brand ? toRecord(brand) : undefined;
  }
}

/** Without the zeros that the column pads a rate with. */
function toRecord({ id, name, commissionRate }: Brand): BrandTermsRecord {
  return { id, name, commissionRate: commissionRate?.toFixed() ?? null };
}
