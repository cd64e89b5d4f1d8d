import { AppError } from '@reseller/errors';
import type { OperatorRoleName } from '@reseller/rpc';

/** Throws FORBIDDEN_OPERATOR_ROLE, whose details name the role, unless one of these roles may do what needs `role` (spec §18.2). */
export function requireRole(roles: readonly OperatorRoleName[], role: OperatorRoleName): void {
  const mayDoIt = role === 'viewer' ? roles.length > 0 : roles.includes(role) || roles.includes('admin');
  if (!mayDoIt) throw new AppError('FORBIDDEN_OPERATOR_ROLE', { role });
}
