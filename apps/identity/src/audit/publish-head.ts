import type { Logger } from '@reseller/service-kit';
import type { TokenSigner } from '../signing-key/token-signer';
import type { AuditChainRepository } from './audit-chain.repository';
import { AUDIT_SERVICE } from './domain/audit-entry';

/** What publishing the head works with. */
interface PublishHeadDeps {
  chain: Pick<AuditChainRepository, 'head'>;
  signer: Pick<TokenSigner, 'signHead'>;
  log: Logger;
}

/**
 * Logs the end of the chain, signed: whoever changes entries in the database can make a new chain of them, but neither the log nor
 * the signature follows (docs/adr/0015).
 */
export async function publishHead({ chain, signer, log }: PublishHeadDeps): Promise<void> {
  const head = { service: AUDIT_SERVICE, ...(await chain.head()) };
  log.info({ ...head, signed: await signer.signHead(head) }, 'head of the audit');
}
