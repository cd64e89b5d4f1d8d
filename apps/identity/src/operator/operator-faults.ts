import type { CreateOperatorTokenRequest, OperatorRole } from '@reseller/contracts';
import { isPrintable, validationFailed, type FieldFault } from '@reseller/errors';
import { operatorRoleNameOf, type OperatorRoleName } from '@reseller/rpc';

const LONGEST_NAME = 100;

/** The roles by name; throws VALIDATION_FAILED where there is none, an unknown one or one twice. */
export function requireRoles(roles: readonly OperatorRole[]): OperatorRoleName[] {
  const { names, faults } = readRoles(roles);
  if (faults.length > 0) throw validationFailed(faults);
  return names;
}

/** What a new token is to be; throws VALIDATION_FAILED with every fault found. */
export function requireToken({ name, roles, expiresAt }: CreateOperatorTokenRequest, now: Date) {
  const { names, faults } = readRoles(roles);
  if (!isPrintable(name, LONGEST_NAME))
    faults.push({ path: 'name', message: 'must be 1 to 100 characters without control characters' });
  if (expiresAt && expiresAt <= now) faults.push({ path: 'expiresAt', message: 'must be later than now' });
  if (faults.length > 0) throw validationFailed(faults);
  return { name, roles: names, expiresAt: expiresAt ?? null };
}

function readRoles(roles: readonly OperatorRole[]): { names: OperatorRoleName[]; faults: FieldFault[] } {
  const names = roles.map(operatorRoleNameOf).filter((name) => name !== undefined);
  const isFit = names.length > 0 && names.length === roles.length && new Set(names).size === names.length;
  return { names, faults: isFit ? [] : [{ path: 'roles', message: 'must be one or more roles, each once' }] };
}
