import { AppError } from '@reseller/errors';
import { createHash, timingSafeEqual } from 'node:crypto';
import type { OperatorRole } from './operator-roles';

/** Who acts, and what he may do. */
export interface Operator {
  readonly name: string;
  readonly roles: readonly OperatorRole[];
}

/** Returns the operator of an Authorization header or throws UNAUTHORIZED_INVALID_TOKEN. */
export type Authenticate = (authorization: string | undefined) => Operator;

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Knows operators by their bearer tokens; its timing reveals nothing. */
export function authenticator(nameByToken: ReadonlyMap<string, string>): Authenticate {
  const known = [...nameByToken].map(([token, name]) => ({ name, hash: digest(token) }));
  return (authorization) => {
    const [, token = ''] = /^Bearer +(\S+)$/i.exec(authorization ?? '') ?? [];
    const hash = digest(token);
    // Every token is compared, so that the time taken does not depend on which one it is.
    const matches = known.filter((operator) => timingSafeEqual(operator.hash, hash));
    const [operator] = matches;
    if (!operator) {
      throw new AppError('UNAUTHORIZED_INVALID_TOKEN', {
        message: 'The operator token is missing or not valid.',
      });
    }
    return { name: operator.name, roles: ['admin'] };
  };
}
