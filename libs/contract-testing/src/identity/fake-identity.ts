import { PartnerServiceService, type Partner } from '@reseller/contracts';
import { AppError } from '@reseller/errors';
import type { Partially } from '../fakes/complete-reply';
import { Fake } from '../fakes/fake';
import type { Party } from '../party';
import type { World } from '../world';

/** A partner as identity has it. */
export const identityPartner = (id: string, more: Partially<Partner> = {}): Partially<Partner> => ({
  id,
  globalId: `PRT-${id.slice(-12)}`,
  name: 'Acme',
  path: [id],
  language: 'en',
  ...more,
});

/** identity as its consumers see it: partners by id, which a test may change while it runs. */
export class FakeIdentity extends Fake {
  readonly partners = new Map<string, Partially<Partner>>();

  /** Knows the partners of its map; with one for all others, everybody. */
  constructor(others?: Partially<Partner>) {
    super('identity');
    this.on(PartnerServiceService, {
      getPartner: ({ partnerId }) => {
        const partner = this.partners.get(partnerId) ?? (others && identityPartner(partnerId, others));
        if (!partner) throw new AppError('NOT_FOUND_PARTNER');
        return { partner };
      },
    });
  }
}

/** A partner and one below it, as the fake of identity has them. */
export function familyOf(world: World): readonly [parent: Party, child: Party] {
  const parent = world.partner();
  const child = parent.child();
  const identity = world.dependency('identity');
  if (identity instanceof FakeIdentity)
    identity.partners.set(child.id, identityPartner(child.id, { path: child.path.split(',') }));
  return [parent, child];
}
