/** How a language writes what is no word. */
export interface Formats {
  /** Day and time to the second, in this browser's time zone. */
  moment(at: string | number | Date | null): string;
  /** The time of day to the millisecond. */
  instant(at: number): string;
  /** A day and an hour, for the axis of a chart. */
  hour(at: string): string;
  day(at: string): string;
  number(value: number): string;
  /** At least two decimals, with the currency's code, never with its sign alone. */
  money(amount: number, currency?: string): string;
  share(value: number): string;
  duration(ms: number): string;
}

/** What there is nothing of. */
export const NONE = '–';

const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
] as const;

/**
 * Digits are Latin and the calendar is Gregorian in Arabic too: ids, amounts and times are compared with those of logs and of partners.
 */
export function formatsOf(language: 'en' | 'ar'): Formats {
  const locale = language === 'ar' ? 'ar-u-nu-latn-ca-gregory' : 'en-GB';
  const moment = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'medium' });
  const instant = new Intl.DateTimeFormat(locale, {
    ...{ hour: '2-digit', minute: '2-digit', second: '2-digit' },
    ...{ fractionalSecondDigits: 3, hourCycle: 'h23' },
  });
  const hour = new Intl.DateTimeFormat(locale, { weekday: 'short', hour: '2-digit', minute: '2-digit' });
  const day = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short' });
  const number = new Intl.NumberFormat(locale);
  const share = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 });
  const money = new Intl.NumberFormat(locale, { minimumFractionDigits: 2, maximumFractionDigits: 6 });
  const unit = (name: string, value: number, digits: number): string =>
    new Intl.NumberFormat(locale, {
      style: 'unit',
      unit: name,
      unitDisplay: 'short',
      maximumFractionDigits: digits,
    }).format(value);
  return {
    moment: (at) => (at === null ? NONE : moment.format(new Date(at))),
    instant: (at) => instant.format(at),
    hour: (at) => hour.format(new Date(at)),
    day: (at) => day.format(new Date(at)),
    number: (value) => number.format(value),
    money: (amount, currency = 'SAR') => `${money.format(amount)} ${currency}`,
    share: (value) => share.format(value),
    duration(ms) {
      const [name, length] = UNITS.find(([, least]) => ms >= least) ?? ['millisecond', 1];
      return unit(name, ms / length, name === 'millisecond' ? 0 : 1);
    },
  };
}
