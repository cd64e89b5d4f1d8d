import { AppError } from '@reseller/errors';

/** What an operator may be: `viewer` reads all, `admin` may do all, each of the others reads all and changes its own (spec §18.2). */
export const OPERATOR_ROLES = ['viewer', 'support', 'finance', 'catalog', 'partners', 'admin'] as const;

/** One of an operator's roles. */
export type OperatorRole = (typeof OPERATOR_ROLES)[number];

/** Throws FORBIDDEN_OPERATOR_ROLE, whose details name the role, unless one of these roles may do what needs `role`. */
export function requireRole(roles: readonly OperatorRole[], role: OperatorRole): void {
  const mayDoIt = role === 'viewer' ? roles.length > 0 : roles.includes(role) || roles.includes('admin');
  if (!mayDoIt) throw new AppError('FORBIDDEN_OPERATOR_ROLE', { role });
}
