import { Availability, TaxClassification } from '@reseller/contracts';
import { findByName } from './order-names';
import { presentEnum } from './values';

const AVAILABILITY_NAMES = {
  [Availability.AVAILABLE]: 'Available',
  [Availability.LIMITED]: 'Limited',
  [Availability.UNAVAILABLE]: 'Unavailable',
} as const;
const TAX_NAMES = {
  [TaxClassification.STANDARD]: 'STANDARD',
  [TaxClassification.ZERO]: 'ZERO',
} as const;

type AvailabilityName = (typeof AVAILABILITY_NAMES)[keyof typeof AVAILABILITY_NAMES];

/** How much of a variant can be bought now (spec §5.4). */
export const AVAILABILITIES = Object.values(AVAILABILITY_NAMES);

/** Which VAT rate a variant's goods bear: 15 % or 0 %. */
export const TAX_CLASSIFICATIONS = Object.values(TAX_NAMES);

/** A class of availability by its name. */
export const presentAvailability = (availability: Availability): AvailabilityName =>
  presentEnum<Availability, AvailabilityName>(AVAILABILITY_NAMES, availability);

/** A filter by availability; UNSPECIFIED, which is all, for none. */
export const availabilityFilter = (name: AvailabilityName | undefined): Availability =>
  findByName<Availability, AvailabilityName>(AVAILABILITY_NAMES, name) ?? Availability.UNSPECIFIED;

/** A VAT class by its name. */
export const presentTaxClassification = (tax: TaxClassification): (typeof TAX_CLASSIFICATIONS)[number] =>
  presentEnum<TaxClassification, (typeof TAX_CLASSIFICATIONS)[number]>(TAX_NAMES, tax);
