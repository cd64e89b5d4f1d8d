import type { PageInfo, PageRequest } from '@reseller/contracts';
import { pageBounds, toPageInfo } from '@reseller/database';
import type { EsimProduct as ProductRow, PrismaClient } from '../../generated/prisma/client';
import type { EsimProduct } from './domain/esim-product';

/** Reads eSIM products; they change by migrations only, so each is read once in the life of the process. */
export class EsimProductRepository {
  private all: Promise<readonly EsimProduct[]> | undefined;

  constructor(private readonly prisma: PrismaClient) {}

  /** The product of a sku, active or not, if there is one. */
  async find(sku: string): Promise<EsimProduct | undefined> {
    return (await this.read()).find((product) => product.sku === sku);
  }

  /** A page of all products, or of those of one geo scope, by name, then sku, by code points. */
  async list(
    geoScopeGlobalId: string | undefined,
    page: PageRequest | undefined,
  ): Promise<{ products: EsimProduct[]; page: PageInfo }> {
    const all = await this.read();
    const chosen = all.filter(
      (product) => geoScopeGlobalId === undefined || product.geoScopeGlobalId === geoScopeGlobalId,
    );
    const { limit, offset } = pageBounds(page);
    return { products: chosen.slice(offset, offset + limit), page: toPageInfo(page, chosen.length) };
  }

  private read(): Promise<readonly EsimProduct[]> {
    this.all ??= this.prisma.esimProduct
      .findMany({ orderBy: [{ name: 'asc' }, { sku: 'asc' }] })
      .then((rows) => rows.map(toProduct))
      .catch((error: unknown) => {
        this.all = undefined;
        throw error;
      });
    return this.all;
  }
}

function toProduct({ dataAllowance, amount, ...same }: ProductRow): EsimProduct {
  return { ...same, dataAllowance: dataAllowance.toFixed(3), amount: amount.toFixed(2) };
}
