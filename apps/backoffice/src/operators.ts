import { AppError } from '@reseller/errors';
import type { Request } from 'express';
import { createHash, timingSafeEqual } from 'node:crypto';

/** Who works through backoffice. */
export interface Operator {
  name: string;
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Answers the operator of a request's bearer token or throws UNAUTHORIZED_INVALID_TOKEN; tells nothing by its timing. */
export function authenticator(nameByToken: ReadonlyMap<string, string>): (request: Request) => Operator {
  const known = [...nameByToken].map(([token, name]) => ({ name, hash: digest(token) }));
  return (request) => {
    const [, token = ''] = /^Bearer +(\S+)$/i.exec(request.get('authorization') ?? '') ?? [];
    const hash = digest(token);
    // Every token is compared, so that the time taken does not depend on which one it is.
    const matches = known.filter((operator) => timingSafeEqual(operator.hash, hash));
    const [operator] = matches;
    if (!operator) {
      throw new AppError('UNAUTHORIZED_INVALID_TOKEN', {
        message: 'The operator token is missing or not valid.',
      });
    }
    return { name: operator.name };
  };
}
