import type { PageInfo, PageRequest } from '@reseller/contracts';
import type { Buyer, OfferedVariant, ScentRecord } from './domain/variant';
import type { ScentFilter, ScentRepository } from './scent.repository';
import type { VariantRepository } from './variant.repository';

/** A page of scents with the variants on offer of all of them, priced for the buyer. */
export async function listScents(
  deps: { scents: ScentRepository; variants: VariantRepository },
  buyer: Buyer,
  { filter, page }: { filter: ScentFilter; page: PageRequest | undefined },
): Promise<{ scents: ScentRecord[]; variants: OfferedVariant[]; page: PageInfo }> {
  const list = await deps.scents.list(filter, page);
  const ids = list.scents.map(({ id }) => id);
  return { ...list, variants: await deps.variants.listOfScents(ids, buyer) };
}
