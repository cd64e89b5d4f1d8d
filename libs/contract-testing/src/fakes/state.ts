import { AppError, type ErrorCode } from '@reseller/errors';
import type { BeginCheckoutRequest } from '@reseller/contracts';

/** Whose a fake's things are. */
export type Owner = Pick<BeginCheckoutRequest, 'partnerId' | 'environment'>;

/** An owner as one text. */
export const ownerOf = ({ partnerId, environment }: Owner): string => `${environment} ${partnerId}`;

/** Refuses a call of a fake. */
export const refuse = (code: ErrorCode): never => {
  throw new AppError(code);
};

/** The keys after one, in their order, of what has not ended. */
export const keysAfter = <T extends { state: string }>(
  all: ReadonlyMap<string, T>,
  after: string,
  limit: number,
  ended: T['state'],
): string[] =>
  [...all.keys()]
    .filter((key) => key > after && all.get(key)?.state !== ended)
    .sort()
    .slice(0, limit);
