import type { Queryable } from '@reseller/database';
import type { LimitRepository } from './limit.repository';

/** A partner as an event of identity has it. */
export interface MovedPartner {
  readonly partnerId: string;
  /** Ids from the root partner down to this one. */
  readonly path: readonly string[];
}

/**
 * Takes a partner's version over by `record`, which says whether it is newer than the one known, and then ends the limits of those who
 * are not above the partner any more: nobody else could take them back. In turn with whoever sets limits by an earlier version of the partner.
 */
export async function endFormerAncestorsLimits(
  limits: Pick<LimitRepository, 'lock' | 'dropFormerAncestors'>,
  tx: Queryable,
  { partnerId, path }: MovedPartner,
  record: () => Promise<boolean>,
): Promise<void> {
  await limits.lock(tx, partnerId);
  if (await record()) await limits.dropFormerAncestors(tx, partnerId, path);
}
