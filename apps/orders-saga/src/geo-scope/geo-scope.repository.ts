import type { PrismaClient } from '../generated/prisma/client';
import type { GeoScope } from './domain/geo-scope';

/** Reads geo scopes; they change by migrations only, so one read serves the life of the process. */
export class GeoScopeRepository {
  private all: Promise<readonly GeoScope[]> | undefined;

  constructor(private readonly prisma: PrismaClient) {}

  /** Every geo scope in its fixed order. */
  list(): Promise<readonly GeoScope[]> {
    this.all ??= this.read().catch((error: unknown) => {
      this.all = undefined;
      throw error;
    });
    return this.all;
  }

  /** The geo scope of a global id, if there is one. */
  async find(globalId: string): Promise<GeoScope | undefined> {
    return (await this.list()).find((geoScope) => geoScope.globalId === globalId);
  }

  private async read(): Promise<readonly GeoScope[]> {
    const rows = await this.prisma.geoScope.findMany({ orderBy: { position: 'asc' } });
    return rows.map(({ globalId, name, country, currency, sellsEsim, topupMinAmount, topupMaxAmount }) => ({
      globalId,
      name,
      country,
      currency,
      sellsEsim,
      topup:
        topupMinAmount && topupMaxAmount
          ? { minAmount: topupMinAmount.toFixed(2), maxAmount: topupMaxAmount.toFixed(2) }
          : null,
    }));
  }
}
