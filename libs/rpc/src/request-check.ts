import type { Environment } from '@reseller/contracts';
import { validationFailed, type FieldFault } from '@reseller/errors';
import { decimal, toFixedString, type Decimal } from '@reseller/money';
import { environmentNameOf, type EnvironmentName } from './partner-scope';
import { isUuid } from './uuid';

/** Sums stay well inside numeric(20, 2), and amounts inside what a JSON number carries exactly. */
const AMOUNT_LIMIT = decimal('10000000000000');

/** Reads the fields of a request and gathers every fault, not only the first (spec §1.2). */
export class RequestCheck {
  private readonly faults: FieldFault[] = [];

  /** Throws VALIDATION_FAILED when any field read so far was at fault. */
  end(): void {
    if (this.faults.length > 0) throw validationFailed(this.faults);
  }

  fault(path: string, message: string): void {
    this.faults.push({ path, message });
  }

  /** The partner and environment that a call without a partner's scope names. */
  owner(request: { partnerId: string; environment: Environment }): {
    partnerId: string;
    environment: EnvironmentName;
  } {
    return {
      partnerId: this.uuid('partnerId', request.partnerId),
      environment: this.environment('environment', request.environment),
    };
  }

  environment(path: string, value: Environment): EnvironmentName {
    const name = environmentNameOf(value);
    if (!name) this.fault(path, 'expected sandbox or live');
    return name ?? 'sandbox';
  }

  /** In lower case, as the database writes it. */
  uuid(path: string, value: string): string {
    if (!isUuid(value)) this.fault(path, 'expected a uuid');
    return value.toLowerCase();
  }

  /** A caller's text of 1 to `most` characters. */
  text(path: string, value: string, most: number): string {
    if (value === '' || isLonger(value, most) || value.includes('\0')) {
      this.fault(path, `expected 1 to ${most} characters`);
    }
    return value;
  }

  /** A text that may be empty. */
  optionalText(path: string, value: string, most: number): string {
    if (isLonger(value, most) || value.includes('\0'))
      this.fault(path, `expected at most ${most} characters`);
    return value;
  }

  /** More than zero, in two decimals. */
  amount(path: string, value: string): string {
    return this.money(path, value, (amount) => amount.greaterThan(0), 'expected an amount of more than zero');
  }

  /** Not zero, of either sign, in two decimals. */
  signedAmount(path: string, value: string): string {
    return this.money(path, value, (amount) => !amount.isZero(), 'expected an amount other than zero');
  }

  /** Zero or more, in two decimals. */
  amountOrZero(path: string, value: string): string {
    return this.money(path, value, (amount) => !amount.isNegative(), 'expected an amount of zero or more');
  }

  /** A whole number from 1. */
  count(path: string, value: number, most: number): number {
    if (value < 1 || value > most) this.fault(path, `expected 1 to ${most}`);
    return value;
  }

  private money(path: string, value: string, allows: (amount: Decimal) => boolean, expected: string): string {
    const amount = toDecimal(value);
    if (!amount || amount.decimalPlaces() > 2 || !allows(amount)) {
      this.fault(path, `${expected} with at most two decimals`);
    } else if (amount.abs().greaterThanOrEqualTo(AMOUNT_LIMIT)) {
      this.fault(path, 'expected an amount of at most 13 digits before the point');
    } else {
      return toFixedString(amount, 2);
    }
    return '0.00';
  }
}

/** Whether a text has more than so many characters, as partners count them: code points. */
export const isLonger = (text: string, most: number): boolean =>
  text.length > most && (text.length > 2 * most || [...text].length > most);

/** The decimal that a text spells; undefined when it spells none. */
export function toDecimal(value: string): Decimal | undefined {
  try {
    return value.length <= 60 ? decimal(value) : undefined;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
