import { validationFailed, type FieldFault } from '@reseller/errors';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const LONGEST_CUSTOMER_REF = 128;
/** Control characters, halves of surrogate pairs, and the separators that break lines. */
const UNPRINTABLE = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u;

/** The most units of a line and lines of a cart or quote (spec §6.2, §5.2). */
export const LARGEST_QUANTITY = 999;
export const MOST_LINES = 100;

/** Gathers every fault of a request, not only the first (spec §1.2). */
export class CartRequestCheck {
  private readonly faults: FieldFault[] = [];

  /** Throws VALIDATION_FAILED when anything was at fault. */
  end(): void {
    if (this.faults.length > 0) throw validationFailed(this.faults);
  }

  fault(path: string, message: string): void {
    this.faults.push({ path, message });
  }

  /** 1 to 128 code points of printable text, compared exactly (spec §6.1). */
  customerRef(value: string | undefined): string | undefined {
    if (value === undefined) return undefined;
    const length = value.length > 2 * LONGEST_CUSTOMER_REF ? Infinity : [...value].length;
    if (length < 1 || length > LONGEST_CUSTOMER_REF || UNPRINTABLE.test(value)) {
      this.fault(
        'customerRef',
        `must have 1 to ${LONGEST_CUSTOMER_REF} characters, none of them a control character`,
      );
    }
    return value;
  }

  /** In lower case, as the database writes it. */
  uuid(path: string, value: string): string {
    if (!UUID.test(value)) this.fault(path, 'must be a UUID');
    return value.toLowerCase();
  }

  quantity(path: string, value: number, least: 0 | 1): number {
    if (!Number.isInteger(value) || value < least || value > LARGEST_QUANTITY) {
      this.fault(path, `must be a whole number from ${least} to ${LARGEST_QUANTITY}`);
    }
    return value;
  }

  /** A key that another service chose. */
  key(path: string, value: string): string {
    if (value.length < 1 || value.length > 200 || UNPRINTABLE.test(value)) {
      this.fault(path, 'must have 1 to 200 characters');
    }
    return value;
  }
}
