/** How much of a variant can be bought now, in words (spec §5.4). */
export type AvailabilityName = 'Unavailable' | 'Limited' | 'Available';

const LIMITED_UP_TO = 5;
const NUMBER_UP_TO = 20;

/** The class of an available quantity, which is stock on hand less stock reserved; 0 for an inactive variant. */
export function availabilityOf(available: number): AvailabilityName {
  if (available <= 0) return 'Unavailable';
  return available <= LIMITED_UP_TO ? 'Limited' : 'Available';
}

/** The number as partners may see it: undefined above 20 (spec §5.4). */
export function availableQuantityOf(available: number): number | undefined {
  return available <= NUMBER_UP_TO ? Math.max(available, 0) : undefined;
}
