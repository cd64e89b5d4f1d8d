/** What partners may sell, as stored. */
export const PRODUCT_NAMES = ['Topup', 'Esim', 'Scent'] as const;
/** One of them. */
export type ProductName = (typeof PRODUCT_NAMES)[number];

interface Step {
  readonly name: string;
  /** Only of partners that sell it. */
  readonly product?: ProductName;
  /** Shown by two calls, of which the first alone proves nothing. */
  readonly hasHalves?: true;
  /** Shown by all the calls of a credential together, never by a sighting. */
  readonly isOfCalls?: true;
}

/** What a partner has to show (spec §17.6), in the order in which a guide goes through it. */
const TABLE = [
  { name: 'TopupOrder', product: 'Topup' },
  { name: 'EsimOrder', product: 'Esim' },
  { name: 'ScentOrder', product: 'Scent' },
  { name: 'RefusalMet' },
  { name: 'PendingOrderFollowed', hasHalves: true },
  { name: 'LostResponseRepeated', hasHalves: true },
  { name: 'LimitRespected', isOfCalls: true },
  { name: 'DiagnosisPassed' },
  { name: 'StatementRead' },
] as const satisfies readonly Step[];

/** The name of a step, as stored. */
export type StepName = (typeof TABLE)[number]['name'];

const STEPS: readonly (Step & { readonly name: StepName })[] = TABLE;

/** The step that no sighting shows. */
export const STEP_OF_CALLS: StepName = 'LimitRespected';

/** How much of a step a sighting shows. */
export type HowMuch = 'whole' | 'first' | 'second';

/** Whether a step can be seen so. */
export function fits(name: StepName, howMuch: HowMuch): boolean {
  const step = STEPS.find((one) => one.name === name);
  if (!step || step.isOfCalls) return false;
  return Boolean(step.hasHalves) === (howMuch !== 'whole');
}

/** The steps of a partner that sells these products, in their order. */
export const stepsOf = (products: readonly string[]): StepName[] =>
  STEPS.filter(({ product }) => !product || products.includes(product)).map(({ name }) => name);

/** The steps that are missing, in their order. */
export const missingSteps = (products: readonly string[], shown: ReadonlySet<string>): StepName[] =>
  stepsOf(products).filter((step) => !shown.has(step));
