import { PartnerServiceService } from '@reseller/contracts';
import { Fake } from '../fakes/fake';
import type { Party } from '../party';
import type { World } from '../world';

/** identity as its consumers see it: every partner they ask for is there, below whom it was placed. */
export class FakeIdentity extends Fake {
  private readonly paths = new Map<string, readonly string[]>();

  constructor() {
    super('identity');
    this.on(PartnerServiceService, {
      getPartner: ({ partnerId }) => ({
        partner: {
          id: partnerId,
          globalId: `PRT-${partnerId.slice(-12)}`,
          name: 'Acme',
          path: [...(this.paths.get(partnerId) ?? [partnerId])],
          taxRegistrationNumber: '311',
        },
      }),
    });
  }

  /** Has a partner stand where its calls say that it does. */
  place({ id, path }: Pick<Party, 'id' | 'path'>): void {
    this.paths.set(id, path.split(','));
  }
}

/** identity as its consumers see it. */
export const fakeIdentity = (): Fake => new FakeIdentity();

/** A partner and one below it, as the fake of identity has them. */
export function familyOf(world: World): readonly [parent: Party, child: Party] {
  const parent = world.partner();
  const child = parent.child();
  const identity = world.dependency('identity');
  if (identity instanceof FakeIdentity) identity.place(child);
  return [parent, child];
}
