import {
  CertificationStep,
  CertifiedProduct,
  EvidenceType,
  type Certification,
  type CertificationEvidence,
  type CertificationStepState,
} from '@reseller/contracts';
import { findByName } from './order-names';
import { present, presentEnum, presentMoment } from './values';

interface StepText {
  readonly name: string;
  readonly title: string;
  readonly howTo: string;
}

const STEPS = {
  [CertificationStep.TOPUP_ORDER]: {
    name: 'TopupOrder',
    title: 'A top-up',
    howTo:
      'POST /api/v1/orders/topup for any number that no outcome is rehearsed with, until the order is Completed.',
  },
  [CertificationStep.ESIM_ORDER]: {
    name: 'EsimOrder',
    title: 'An eSIM',
    howTo:
      'POST /api/v1/orders/esim for a product of GET /api/v1/esim/products, until the order is Completed.',
  },
  [CertificationStep.SCENT_ORDER]: {
    name: 'ScentOrder',
    title: 'A scent order',
    howTo:
      'POST /api/v1/scent/cart/items, then POST /api/v1/orders/scent; the order is paid once it is Processing.',
  },
  [CertificationStep.REFUSAL_MET]: {
    name: 'RefusalMet',
    title: 'A refusal met',
    howTo:
      'POST /api/v1/orders/topup for a number that ends in 0001 (Failed), or any create that is refused with a BUSINESS_ code.',
  },
  [CertificationStep.PENDING_ORDER_FOLLOWED]: {
    name: 'PendingOrderFollowed',
    title: 'A pending order followed to its end',
    howTo:
      'POST /api/v1/orders/topup for a number that ends in 0003 (Processing), then read the order until it is Completed.',
  },
  [CertificationStep.LOST_RESPONSE_REPEATED]: {
    name: 'LostResponseRepeated',
    title: 'A lost response repeated safely',
    howTo: 'Send a create with X-Sandbox-Fault: drop-response, then the very same create without it.',
  },
  [CertificationStep.LIMIT_RESPECTED]: {
    name: 'LimitRespected',
    title: 'A limit respected',
    howTo:
      'Send a call with X-Sandbox-Fault: rate-limited, make no other call for as long as Retry-After says, then repeat it.',
  },
  [CertificationStep.DIAGNOSIS_PASSED]: {
    name: 'DiagnosisPassed',
    title: 'A webhook receiver that passes its diagnosis',
    howTo: 'POST /api/v1/webhooks/{id}/diagnose until its grade is Pass.',
  },
  [CertificationStep.STATEMENT_READ]: {
    name: 'StatementRead',
    title: 'A statement read',
    howTo: 'POST /api/v1/sandbox/statements, then GET /api/v1/statements/{id}.',
  },
} as const satisfies Partial<Record<CertificationStep, StepText>>;

const PRODUCTS = {
  [CertifiedProduct.TOPUP]: 'Topup',
  [CertifiedProduct.ESIM]: 'Esim',
  [CertifiedProduct.SCENT]: 'Scent',
} as const satisfies Partial<Record<CertifiedProduct, string>>;

const EVIDENCE = {
  [EvidenceType.ORDER]: 'Order',
  [EvidenceType.REQUEST]: 'Request',
  [EvidenceType.WEBHOOK_SUBSCRIPTION]: 'WebhookSubscription',
  [EvidenceType.STATEMENT]: 'Statement',
} as const satisfies Partial<Record<EvidenceType, string>>;

const PRODUCT_NAMES: Partial<Record<CertifiedProduct, (typeof PRODUCTS)[keyof typeof PRODUCTS]>> = PRODUCTS;
const EVIDENCE_NAMES: Partial<Record<EvidenceType, (typeof EVIDENCE)[keyof typeof EVIDENCE]>> = EVIDENCE;
const STEP_TEXTS: Partial<Record<CertificationStep, (typeof STEPS)[keyof typeof STEPS]>> = STEPS;

/** What a partner may sell, by the names of the API. */
export const CERTIFIED_PRODUCTS = Object.values(PRODUCTS);
/** The steps of a certification by the names of the API, in the order in which a guide goes through them. */
export const CERTIFICATION_STEPS = Object.values(STEPS).map(({ name }) => name);
/** What the evidence of a step may be. */
export const EVIDENCE_TYPES = Object.values(EVIDENCE);

/** The enum values of products by their names. */
export const certifiedProductsOf = (
  names: readonly (typeof CERTIFIED_PRODUCTS)[number][],
): CertifiedProduct[] => names.map((name) => findByName(PRODUCT_NAMES, name) ?? CertifiedProduct.UNSPECIFIED);

/** Where a partner stands, as it reads it itself. */
export function presentCertification(message: Certification | undefined) {
  const { products, certifiedAt, isWaived, steps } = present(message, 'certification');
  return {
    status: certifiedAt ? ('Certified' as const) : ('InProgress' as const),
    certifiedAt: presentMoment(certifiedAt),
    isWaived,
    products: products.map((product) => presentEnum(PRODUCT_NAMES, product)),
    steps: steps.map(presentStep),
  };
}

/** The same for operators: with whose it is, and who waived it and why. */
export function presentPartnerCertification(message: Certification | undefined) {
  const { partnerId, waivedBy, waiveReason } = present(message, 'certification');
  return {
    partnerId,
    ...presentCertification(message),
    waivedBy: waivedBy ?? null,
    waiveReason: waiveReason ?? null,
  };
}

function presentStep({ step, shownAt, evidence }: CertificationStepState) {
  const { name, title, howTo } = presentEnum(STEP_TEXTS, step);
  return {
    ...{ name, title },
    status: shownAt ? ('Shown' as const) : ('Missing' as const),
    shownAt: presentMoment(shownAt),
    evidence: evidence ? presentEvidence(evidence) : null,
    howTo,
  };
}

const presentEvidence = ({ type, id, requestId }: CertificationEvidence) => ({
  type: presentEnum(EVIDENCE_NAMES, type),
  ...{ id, requestId },
});
