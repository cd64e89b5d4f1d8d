import { Fake, type Partially } from '@reseller/contract-testing';
import { PartnerServiceService, type Partner } from '@reseller/contracts';
import { AppError } from '@reseller/errors';

/** identity as finance sees it: partners by id, which a test may change while it runs. */
export interface FakeIdentity extends Fake {
  partners: Map<string, Partially<Partner>>;
}

/** A partner as identity has it. */
export const identityPartner = (id: string, more: Partially<Partner> = {}): Partially<Partner> => ({
  id,
  globalId: `PRT-${id.slice(-12)}`,
  name: 'Acme',
  path: [id],
  ...more,
});

/** Starts a fake of identity that knows the partners in its map. */
export async function startIdentity(): Promise<FakeIdentity> {
  const partners = new Map<string, Partially<Partner>>();
  const identity = new Fake('identity').on(PartnerServiceService, {
    getPartner: ({ partnerId }) => {
      const partner = partners.get(partnerId);
      if (!partner) throw new AppError('NOT_FOUND_PARTNER');
      return { partner };
    },
  });
  return Object.assign(await identity.start(), { partners });
}
