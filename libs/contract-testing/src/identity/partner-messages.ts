import type { Message, Party, World } from '../prelude';

/** Where identity publishes its partners. */
export const PARTNER_TOPIC = 'reseller.identity.partner.v1';

/** Publishes a partner as identity would, with these settings and whether one above it is frozen. */
export function publishPartner(
  world: World,
  { id }: Party,
  name: 'PartnerRegistered' | 'PartnerUpdated',
  { is_frozen_with_ancestors, ...settings }: Message = {},
): Promise<string> {
  const partner = {
    id,
    global_id: `PRT-${id.slice(-12)}`,
    name: 'Acme',
    path: [id],
    is_active: true,
    is_vat_registered: true,
    marketing_enabled: false,
    version: 1,
    created_at: new Date(),
    ...settings,
  };
  return world.publish(PARTNER_TOPIC, `reseller.identity.v1.${name}`, id, {
    partner,
    is_frozen_with_ancestors,
  });
}

/** A new partner with these settings, once the service under test has seen it. */
export async function seenPartner(world: World, awaits: string, settings: Message = {}): Promise<Party> {
  const partner = world.partner();
  await publishPartner(world, partner, 'PartnerRegistered', settings);
  const { is_seen } = await partner.call(awaits, { version: 1 });
  if (!is_seen) throw new Error('the partner’s event was not seen');
  return partner;
}
