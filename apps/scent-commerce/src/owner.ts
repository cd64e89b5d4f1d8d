import type { PartnerScope } from '@reseller/rpc';

/** Whose carts, locks, codes and registrations are touched (spec §2.1). */
export type Owner = Pick<PartnerScope, 'partnerId' | 'environment'>;
