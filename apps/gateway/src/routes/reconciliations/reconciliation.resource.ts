import {
  ReconciliationDifferenceKind,
  type PartnerReconciliation,
  type ReconciliationDifference,
} from '@reseller/contracts';
import {
  present,
  presentEnum,
  presentOptionalAmount,
  presentRequiredMoment,
  PRODUCT_NAMES,
} from '@reseller/presenters';
import { z } from 'zod';
import { uuid } from '../../fields/request-fields';
import { id, money, moment } from '../../fields/response-fields';
import { productType } from '../orders/order.resource';

/** In what two records differ, in the order in which differences are listed (spec §17.4). */
export const DIFFERENCE_KINDS = ['missingHere', 'missingThere', 'amountDiffers', 'statusDiffers'] as const;

type KindName = (typeof DIFFERENCE_KINDS)[number];

const KIND_NAMES: Partial<Record<ReconciliationDifferenceKind, KindName>> = {
  [ReconciliationDifferenceKind.MISSING_HERE]: 'missingHere',
  [ReconciliationDifferenceKind.MISSING_THERE]: 'missingThere',
  [ReconciliationDifferenceKind.AMOUNT_DIFFERS]: 'amountDiffers',
  [ReconciliationDifferenceKind.STATUS_DIFFERS]: 'statusDiffers',
};

const KINDS: Readonly<Record<KindName, ReconciliationDifferenceKind>> = {
  missingHere: ReconciliationDifferenceKind.MISSING_HERE,
  missingThere: ReconciliationDifferenceKind.MISSING_THERE,
  amountDiffers: ReconciliationDifferenceKind.AMOUNT_DIFFERS,
  statusDiffers: ReconciliationDifferenceKind.STATUS_DIFFERS,
};

/** The enum value of a filter; UNSPECIFIED, which is all, for none. */
export const kindFilter = (name: KindName | undefined): ReconciliationDifferenceKind =>
  name ? KINDS[name] : ReconciliationDifferenceKind.UNSPECIFIED;

/** The reconciliation that a path names. */
export const reconciliationPath = { id: uuid('The id of the reconciliation.') };

const count = (description: string) => z.int().meta({ description });

/** What came of comparing (spec §17.4). */
export const reconciliation = z
  .strictObject({
    reconciliationId: id('By which it is read again.'),
    productType: productType.meta({ description: 'Of which product the orders are.' }),
    fromDate: moment('Submitted at or after this moment.'),
    toDate: moment('Submitted before this moment.'),
    createdAt: moment('As of when our orders were read.'),
    rows: count('How many rows your file has.'),
    matched: count('How many of them differ in nothing.'),
    differences: z
      .strictObject({
        missingHere: count('Yours, of which we have no such order in that time.'),
        missingThere: count('Ours, of which your file has no row.'),
        amountDiffers: count('Of another amount.'),
        statusDiffers: count('Of another status.'),
      })
      .meta({ description: 'How many differences there are of each kind.' }),
  })
  .meta({ id: 'Reconciliation' });

/** One difference between a file and our orders. */
export const difference = z
  .strictObject({
    kind: z.enum(DIFFERENCE_KINDS).meta({ description: 'In what they differ.' }),
    externalReference: z.string().meta({ description: 'By which both of us know the order.' }),
    row: z
      .int()
      .nullable()
      .meta({ description: 'The row of your file, from 1 under the header; null without one.' }),
    theirAmount: money('As your file has it; null without a row.').nullable(),
    ourAmount: money('As we have it; null without such an order in that time.').nullable(),
    theirStatus: z
      .string()
      .nullable()
      .meta({ description: 'As your file has it; null where it is empty, or without a row.' }),
    ourStatus: z.string().nullable().meta({ description: 'Null without such an order in that time.' }),
    orderGlobalId: z.string().nullable().meta({ description: 'Our order; null without one in that time.' }),
  })
  .meta({ id: 'ReconciliationDifference' });

/** A reconciliation as partners read it. */
export function presentReconciliation(
  message: PartnerReconciliation | undefined,
): z.input<typeof reconciliation> {
  const found = present(message, 'reconciliation');
  const { missingHere, missingThere, amountDiffers, statusDiffers } = found;
  return {
    reconciliationId: found.reconciliationId,
    productType: presentEnum(PRODUCT_NAMES, found.productType),
    fromDate: presentRequiredMoment(found.fromAt, 'from_at'),
    toDate: presentRequiredMoment(found.toAt, 'to_at'),
    createdAt: presentRequiredMoment(found.createdAt, 'created_at'),
    rows: found.rows,
    matched: found.matched,
    differences: { missingHere, missingThere, amountDiffers, statusDiffers },
  };
}

/** A difference as partners read it. */
export const presentDifference = (found: ReconciliationDifference): z.input<typeof difference> => ({
  kind: presentEnum(KIND_NAMES, found.kind),
  externalReference: found.externalReference,
  row: found.row ?? null,
  theirAmount: presentOptionalAmount(found.theirAmount),
  ourAmount: presentOptionalAmount(found.ourAmount),
  theirStatus: found.theirStatus ?? null,
  ourStatus: found.ourStatus ?? null,
  orderGlobalId: found.orderGlobalId ?? null,
});

/** A day's top-ups, of which two rows differ. */
export const exampleReconciliation: z.input<typeof reconciliation> = {
  reconciliationId: '019a2f52-1c2d-7e55-8b1a-3f4e5d6c7b91',
  productType: 'Topup',
  fromDate: '2026-01-15T00:00:00.000Z',
  toDate: '2026-01-16T00:00:00.000Z',
  createdAt: '2026-01-16T06:00:00.000Z',
  rows: 2,
  matched: 0,
  differences: { missingHere: 1, missingThere: 0, amountDiffers: 1, statusDiffers: 0 },
};

/** What the first of the two rows differs in. */
export const exampleDifference: z.input<typeof difference> = {
  kind: 'amountDiffers',
  externalReference: 'INV-2026-0042',
  row: 1,
  theirAmount: 25,
  ourAmount: 25.5,
  theirStatus: 'Completed',
  ourStatus: 'Completed',
  orderGlobalId: 'TU-01JD4V0000000000000000000A',
};
