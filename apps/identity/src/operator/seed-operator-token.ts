import { v7 as newId } from 'uuid';
import type { OperatorDeps } from './operator-deps';

/** Makes the admin token of a local platform known; once revoked it stays so (spec §18.1). */
export async function seedOperatorToken(
  { operators, secrets, clock }: Pick<OperatorDeps, 'operators' | 'secrets' | 'clock'>,
  secret: string,
): Promise<void> {
  if (await operators.findToken(secrets.hashesOf('token', secret))) return;
  await operators.insertToken({
    id: newId(),
    hashed: secrets.hash('token', secret),
    name: 'local',
    account: 'local',
    roles: ['admin'],
    createdAt: clock.now(),
    expiresAt: null,
  });
}
