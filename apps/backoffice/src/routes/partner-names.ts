import type { CallContext } from '@reseller/rpc';
import type { Clients } from '../clients';

/** Partners' names by their ids. */
export type PartnerNames = ReadonlyMap<string, string>;

/** The names of whoever these rows belong to, by one call whatever their number. */
export async function readPartnerNames(
  { partners }: Clients,
  rows: readonly { partnerId: string }[],
  call: CallContext,
): Promise<PartnerNames> {
  if (rows.length === 0) return new Map();
  const partnerIds = [...new Set(rows.map(({ partnerId }) => partnerId))];
  const { names } = await partners.getPartnerNames({ partnerIds }, call);
  return new Map(names.map(({ partnerId, name }) => [partnerId, name]));
}
