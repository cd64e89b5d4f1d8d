import type { AuditChainRepository } from './audit-chain.repository';

/**
 * Links every entry that has none, oldest first: those of before the chain, once, and those of an instance of the version before that
 * still runs. Returns how many it was.
 */
export async function linkAuditEntries(chain: Pick<AuditChainRepository, 'linkNext'>): Promise<number> {
  let linked = 0;
  for (let next = await chain.linkNext(); next > 0; next = await chain.linkNext()) linked += next;
  return linked;
}
