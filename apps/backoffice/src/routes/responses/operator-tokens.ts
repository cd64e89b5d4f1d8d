import { OPERATOR_ROLE_NAMES } from '@reseller/rpc';
import { z } from 'zod';
import { moment, pageOfItems } from './fields';

/** A program's token, without its text (spec §18.1). */
export const operatorTokenResponse = z
  .strictObject({
    id: z.string(),
    name: z.string(),
    roles: z.array(z.enum(OPERATOR_ROLE_NAMES)),
    createdAt: moment,
    expiresAt: moment.nullable(),
    lastUsedAt: moment.nullable(),
    revokedAt: moment.nullable(),
  })
  .meta({ id: 'OperatorToken' });

/** A new token with its text, which is shown once. */
export const newOperatorTokenResponse = operatorTokenResponse
  .extend({ token: z.string() })
  .meta({ id: 'NewOperatorToken' });

/** A page of tokens. */
export const operatorTokensPage = pageOfItems(operatorTokenResponse);
