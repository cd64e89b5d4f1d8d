import type { SetCertifiedProductsRequest, WaiveCertificationRequest } from '@reseller/contracts';
import { AppError, isPrintable, validationFailed } from '@reseller/errors';
import { isUuid } from '@reseller/rpc';
import type { AuditRepository } from '../audit/audit.repository';
import type { Operator } from '../audit/operator';
import type { PartnerRecord, PartnerRepository } from '../partner/partner.repository';
import type { Transact, Transaction } from '../transaction';
import { productNameOf } from './certification.mapper';
import {
  certifyWhoHasShownAll,
  type CertificationDecision,
  type CertificationRecord,
  type CertificationRepository,
} from './certification.repository';
import { missingSteps, PRODUCT_NAMES } from './domain/certification';

const LONGEST_REASON = 500;

/** What the use cases of certifications need. */
export interface CertificationDeps {
  transact: Transact;
  partners: PartnerRepository;
  certifications: CertificationRepository;
  audit: AuditRepository;
}

/**
 * Says what a partner sells, audited, and certifies it when it has shown all that is left; what changes nothing leaves no trace.
 * Throws VALIDATION_FAILED or NOT_FOUND_PARTNER.
 */
export async function setCertifiedProducts(
  deps: CertificationDeps,
  operator: Operator,
  { partnerId, products }: SetCertifiedProductsRequest,
): Promise<CertificationRecord> {
  const named = products.map(productNameOf);
  if (named.length === 0 || named.includes(undefined) || new Set(named).size < named.length)
    throw validationFailed([{ path: 'products', message: 'must be one or more products, each once' }]);
  const wanted = PRODUCT_NAMES.filter((name) => named.includes(name));
  return decide(deps, partnerId, async (partner, before, tx) => {
    if (String(before.products) === String(wanted)) return;
    await deps.certifications.setProducts(partner.id, wanted, tx);
    await certifyWhoHasShownAll(tx.sql, [partner.id]);
    const details = { products: wanted, before: before.products };
    await audit(deps, operator, 'certification.set-products', { partner, details }, tx);
  });
}

/**
 * Certifies a partner without the steps that are missing, audited with the reason and those steps; one that is certified stays as it
 * is. Throws VALIDATION_FAILED or NOT_FOUND_PARTNER.
 */
export async function waiveCertification(
  deps: CertificationDeps,
  operator: Operator,
  { partnerId, reason }: WaiveCertificationRequest,
): Promise<CertificationRecord> {
  if (!isPrintable(reason, LONGEST_REASON))
    throw validationFailed([{ path: 'reason', message: `must be 1 to ${LONGEST_REASON} characters` }]);
  return decide(deps, partnerId, async (partner, { products }, tx) => {
    if (!(await deps.certifications.waive(partner.id, operator.operator, reason, tx))) return;
    const { shown } = await deps.certifications.read(partner.id, tx);
    const missing = missingSteps(products, new Set(shown.map(({ step }) => step)));
    await audit(deps, operator, 'certification.waive', { partner, details: { reason, missing } }, tx);
  });
}

/** Decides under the lock of the partner's certification, and returns where it stands then. */
async function decide(
  { transact, partners, certifications }: CertificationDeps,
  partnerId: string,
  change: (partner: PartnerRecord, before: CertificationDecision, tx: Transaction) => Promise<void>,
): Promise<CertificationRecord> {
  if (!isUuid(partnerId)) throw new AppError('NOT_FOUND_PARTNER');
  return transact(async (tx) => {
    const partner = await partners.find(partnerId, tx);
    if (!partner) throw new AppError('NOT_FOUND_PARTNER');
    await change(partner, await certifications.lock(partner.id, tx), tx);
    return certifications.read(partner.id, tx);
  });
}

async function audit(
  deps: Pick<CertificationDeps, 'audit'>,
  operator: Operator,
  action: string,
  { partner, details }: { partner: PartnerRecord; details: Record<string, unknown> },
  tx: Transaction,
): Promise<void> {
  await deps.audit.append(
    { ...operator, partnerId: partner.id, action, subject: partner.globalId, details },
    tx,
  );
}
