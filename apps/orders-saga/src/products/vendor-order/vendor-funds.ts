import type { Funds, OrderState } from '../../reconciliation/domain/expected-records';

/**
 * What the ledger may hold of an order that a vendor delivers (spec §4.6): an effect is there from when its step was
 * intended on, for certain once that has its result.
 */
export function allowedVendorFunds({ status, openStep }: OrderState): Funds[] {
  const may = (step: string, funds: Funds): Funds[] => (openStep === step ? [funds] : []);
  switch (status) {
    case 'Pending':
      return ['none', ...may('funds.reserve', 'held'), ...may('funds.release', 'held')];
    case 'Processing':
    case 'InterventionRequired':
      return ['held', ...may('funds.capture', 'charged'), ...may('funds.release', 'none')];
    case 'Failed':
    case 'Cancelled':
      return ['none', ...may('funds.release', 'held')];
    case 'Completed':
      return ['charged', ...may('funds.refund', 'refunded')];
    default:
      return ['refunded'];
  }
}
