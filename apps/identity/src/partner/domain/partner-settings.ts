import { isEmailAddress, isPrintable, type FieldFault } from '@reseller/errors';
import { decimal, isCurrencyCode } from '@reseller/money';

/** What an operator may say about a partner, apart from its place in the hierarchy; null is "no value". */
export interface PartnerSettings {
  name: string;
  isActive: boolean;
  displayCurrency: string | null;
  isVatRegistered: boolean;
  taxRegistrationNumber: string | null;
  /** A fraction as a plain decimal string, 0.1 is 10 %. */
  commissionRate: string | null;
  marketingEnabled: boolean;
  billingEmail: string | null;
  /** Of its statements on paper. */
  language: string;
}

/** The settings a new partner starts with where the operator says nothing. */
export const INITIAL_SETTINGS: Omit<PartnerSettings, 'name'> = {
  isActive: true,
  displayCurrency: null,
  isVatRegistered: false,
  taxRegistrationNumber: null,
  commissionRate: null,
  marketingEnabled: false,
  billingEmail: null,
  language: 'en',
};

const LANGUAGES: readonly string[] = ['en', 'ar'];
const COMMISSION_RATE = /^[01](\.\d{1,6})?$/;

/** One fault for each setting that is unfit; empty when all are fit. Absent settings are not looked at. */
export function findSettingFaults(settings: Partial<PartnerSettings>): FieldFault[] {
  const faults: FieldFault[] = [];
  const check = (path: keyof PartnerSettings, isFit: (value: string) => boolean, message: string): void => {
    const value = settings[path];
    if (typeof value === 'string' && !isFit(value)) faults.push({ path, message });
  };
  check(
    'name',
    (name) => isPrintable(name, 200),
    'must be 1 to 200 characters, not only spaces, without control characters',
  );
  check('displayCurrency', isCurrencyCode, 'must be an ISO 4217 currency code');
  check(
    'taxRegistrationNumber',
    (number) => isPrintable(number, 64),
    'must be 1 to 64 characters without control characters',
  );
  check('commissionRate', isCommissionRate, 'must be a fraction from 0 to 1 with at most six decimals');
  check('billingEmail', isEmailAddress, 'must be an e-mail address of at most 254 characters');
  check('language', (language) => LANGUAGES.includes(language), 'must be en or ar');
  return faults;
}

/** The same rate in its shortest plain form, so that 0.10 and 0.1 count as one value. */
export function normalizeCommissionRate(rate: string): string {
  return decimal(rate).toFixed();
}

function isCommissionRate(rate: string): boolean {
  return COMMISSION_RATE.test(rate) && decimal(rate).lte(1);
}
