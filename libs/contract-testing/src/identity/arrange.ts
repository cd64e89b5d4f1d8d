import type { Message, World } from '../prelude';

/** Registers a partner as an operator. */
export const register = (world: World, more: Message = {}): Promise<Message> =>
  world.get('CreatePartner', { name: 'Acme', ...more });

/** A call about a new partner with these settings, with more in the request. */
export const ofNew =
  (more: Message = {}, settings: Message = {}) =>
  async (world: World) =>
    [world, { partner_id: (await register(world, settings)).id, ...more }] as const;

/** A partner below a root of its own; both. */
export async function family(world: World): Promise<readonly [parent: Message, child: Message]> {
  const parent = await register(world);
  return [parent, await register(world, { parent_partner_id: parent.id })];
}

/** Changes a partner as an operator. */
export const update = (world: World, { id }: Message, changes: Message): Promise<Message> =>
  world.get('UpdatePartner', { partner_id: id, ...changes });

/** Freezes a partner, or ends that, as an operator. */
export const freeze = (world: World, { id }: Message, is_frozen = true): Promise<Message> =>
  world.get('SetPartnerFrozen', { partner_id: id, is_frozen });

/** What was recorded about a partner, newest first. */
export const auditOf = (world: World, { id }: Message): Promise<Message[]> =>
  world.list('ListAuditEntries', { partner_id: id });

/** A credential of a partner, in the sandbox unless it is for another environment. */
export async function credentialOf(
  world: World,
  { id }: Message,
  environment = 'ENVIRONMENT_SANDBOX',
  limits: Message = {},
) {
  const request = { partner_id: id, environment, ...limits };
  const { client_id, client_secret } = await world.call('CreateCredential', request);
  return { client_id, client_secret };
}
