import type { Message } from '../contract';
import { part, text } from '../message';
import type { World } from '../world';

/** What the backoffice says of who acts. */
export const operator = { 'x-operator': 'Olga' };

/** Registers a partner as an operator. */
export async function register(world: World, more: Message = {}): Promise<Message> {
  const request = { name: 'Acme', ...more };
  return part(await world.call('PartnerService.CreatePartner', request, operator), 'partner');
}

/** A credential of a partner, in the sandbox unless told. */
export async function credentialOf(
  world: World,
  { id }: Message,
  environment = 'ENVIRONMENT_SANDBOX',
): Promise<{ client_id: string; client_secret: string }> {
  const answer = await world.call(
    'PartnerService.CreateCredential',
    { partner_id: id, environment },
    operator,
  );
  return { client_id: text(answer, 'client_id'), client_secret: text(answer, 'client_secret') };
}
