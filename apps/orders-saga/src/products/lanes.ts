import type { Lane } from '../saga/saga-plan';

/** Orders whose money is to be taken or freed and nothing else: finance is all they wait for. */
export const SETTLEMENT: Lane = () => 'settlement';

/** Scent orders that wait for finance: apart from the one above, since scent-commerce comes next. */
export const CHECKOUT_FUNDS: Lane = () => 'checkout-funds';

/** Scent orders that wait for scent-commerce. */
export const CHECKOUT: Lane = () => 'checkout';

/** Orders that still need their vendor, also while their money is to be set aside for it. */
export const VENDOR: Lane = ({ vendorName }) => vendorLane(vendorName ?? 'none');

/** What the lane of each vendor begins with; its name follows. */
export const VENDOR_LANE = 'vendor:';

const vendorLane = (vendor: string): string => VENDOR_LANE + vendor;

/** The settings that say how wide lanes are. */
interface LaneSettings {
  readonly RECOVERY_BATCH: number;
  readonly VENDOR_CONCURRENCY: number;
  readonly VENDORS: readonly { readonly name: string; readonly concurrency?: number | undefined }[];
}

/** How many orders of each lane one process carries on at once. */
export function laneSizes(settings: LaneSettings): ReadonlyMap<string, number> {
  const { RECOVERY_BATCH, VENDOR_CONCURRENCY, VENDORS } = settings;
  return new Map([
    [SETTLEMENT({ vendorName: null }), RECOVERY_BATCH],
    [CHECKOUT_FUNDS({ vendorName: null }), RECOVERY_BATCH],
    [CHECKOUT({ vendorName: null }), RECOVERY_BATCH],
    ...VENDORS.map(({ name, concurrency = VENDOR_CONCURRENCY }): [string, number] => [
      vendorLane(name),
      concurrency,
    ]),
  ]);
}
