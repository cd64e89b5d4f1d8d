import { OperatorRole } from '@reseller/contracts';

/** Every role of an operator, as stored and as the operators' API names it (spec §18.2). */
export const OPERATOR_ROLE_NAMES = ['viewer', 'support', 'finance', 'catalog', 'partners', 'admin'] as const;

/** One of an operator's roles. */
export type OperatorRoleName = (typeof OPERATOR_ROLE_NAMES)[number];

const ROLES: Readonly<Record<OperatorRoleName, OperatorRole>> = {
  viewer: OperatorRole.VIEWER,
  support: OperatorRole.SUPPORT,
  finance: OperatorRole.FINANCE,
  catalog: OperatorRole.CATALOG,
  partners: OperatorRole.PARTNERS,
  admin: OperatorRole.ADMIN,
};

/** The contract's value for a role. */
export const operatorRoleOf = (name: OperatorRoleName): OperatorRole => ROLES[name];

/** The name of a role; undefined when it is unspecified or unknown. */
export const operatorRoleNameOf = (role: OperatorRole): OperatorRoleName | undefined =>
  OPERATOR_ROLE_NAMES.find((name) => ROLES[name] === role);
