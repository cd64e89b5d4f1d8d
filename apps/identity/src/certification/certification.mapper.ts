import {
  CertificationStep,
  CertifiedProduct,
  EvidenceType,
  type Certification,
  type CertificationStepState,
} from '@reseller/contracts';
import type { CertificationRecord, StepRecord } from './certification.repository';
import { stepsOf, type ProductName, type StepName } from './domain/certification';

const STEPS: Readonly<Record<StepName, CertificationStep>> = {
  TopupOrder: CertificationStep.TOPUP_ORDER,
  EsimOrder: CertificationStep.ESIM_ORDER,
  ScentOrder: CertificationStep.SCENT_ORDER,
  RefusalMet: CertificationStep.REFUSAL_MET,
  PendingOrderFollowed: CertificationStep.PENDING_ORDER_FOLLOWED,
  LostResponseRepeated: CertificationStep.LOST_RESPONSE_REPEATED,
  LimitRespected: CertificationStep.LIMIT_RESPECTED,
  DiagnosisPassed: CertificationStep.DIAGNOSIS_PASSED,
  StatementRead: CertificationStep.STATEMENT_READ,
};
const PRODUCTS: Readonly<Record<ProductName, CertifiedProduct>> = {
  Topup: CertifiedProduct.TOPUP,
  Esim: CertifiedProduct.ESIM,
  Scent: CertifiedProduct.SCENT,
};
const EVIDENCE: Readonly<Record<string, EvidenceType>> = {
  Order: EvidenceType.ORDER,
  Request: EvidenceType.REQUEST,
  WebhookSubscription: EvidenceType.WEBHOOK_SUBSCRIPTION,
  Statement: EvidenceType.STATEMENT,
};

const nameOf = <Name extends string, Value>(of: Readonly<Record<Name, Value>>, value: Value) =>
  (Object.keys(of) as Name[]).find((name) => of[name] === value);

/** The stored name of a step; undefined when it is none. */
export const stepNameOf = (step: CertificationStep): StepName | undefined => nameOf(STEPS, step);

/** The contract's value for a stored step. */
export const stepOf = (name: StepName): CertificationStep => STEPS[name];

/** The stored name of a product; undefined when it is none. */
export const productNameOf = (product: CertifiedProduct): ProductName | undefined =>
  nameOf(PRODUCTS, product);

/** The stored name of what evidence is; undefined when it is nothing. */
export const evidenceNameOf = (type: EvidenceType): string | undefined => nameOf(EVIDENCE, type);

/** Where a partner stands, as operators see it. */
export function toCertificationMessage(record: CertificationRecord): Certification {
  const { partnerId, products, certifiedAt, waivedBy, waiveReason } = record;
  return {
    partnerId,
    products: (products as ProductName[]).map((name) => PRODUCTS[name]),
    certifiedAt: certifiedAt ?? undefined,
    steps: stepsOf(products).map((name) => toStepMessage(name, record.shown)),
    isWaived: waivedBy !== null,
    waivedBy: waivedBy ?? undefined,
    waiveReason: waiveReason ?? undefined,
  };
}

/** The same as the partner sees it; in live without what is of the sandbox (spec §2.1). */
export function toOwnCertificationMessage(record: CertificationRecord, isSandbox: boolean): Certification {
  const message = toCertificationMessage(record);
  const steps = isSandbox ? message.steps : message.steps.map((step) => ({ ...step, evidence: undefined }));
  return { ...message, steps, waivedBy: undefined, waiveReason: undefined };
}

function toStepMessage(name: StepName, shown: readonly StepRecord[]): CertificationStepState {
  const found = shown.find(({ step }) => step === name);
  const step = STEPS[name];
  if (!found) return { step, shownAt: undefined, evidence: undefined };
  const { shownAt, evidenceType, evidenceId: id, requestId } = found;
  const type = EVIDENCE[evidenceType] ?? EvidenceType.UNSPECIFIED;
  return { step, shownAt, evidence: { type, id, requestId } };
}
