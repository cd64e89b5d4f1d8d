import { toFixedString } from '@reseller/money';
import type { EnvironmentName } from '@reseller/rpc';
import { isCatalogAmount } from '../../catalog/domain/catalog-amount';

/** Why a cell cannot be taken over, and what to do about it. */
interface CellFault {
  column: string;
  message: string;
}

/** One variant as a file describes it; an absent value leaves what is there, or is the default of a new variant. */
export interface CatalogRow {
  brand: string;
  brandCommissionRate?: string | undefined;
  scent: string;
  description?: string | undefined;
  notes?: string[] | undefined;
  gender: string;
  concentration: string;
  sku: string;
  sizeMl: number;
  warehouse: string;
  warehouseName?: string | undefined;
  listPrice: string;
  cost: string;
  rrp?: string | undefined;
  taxClassification?: string | undefined;
  isSample?: boolean | undefined;
  isActive?: boolean | undefined;
  stockOnHand?: number | undefined;
  /** Whose stock it is; both environments' where it names none. */
  environment?: EnvironmentName | undefined;
  firstOfferedAt?: string | undefined;
  loweredFrom?: string | undefined;
  loweredAt?: string | undefined;
}

type Read = (text: string, now: Date) => { value: unknown } | { fault: string };

interface Column {
  isRequired: boolean;
  read: Read;
}

const DAY_MS = 86_400_000;
const MAX_STOCK = 1_000_000_000;

const text =
  (max: number): Read =>
  (value) =>
    [...value].length > max
      ? { fault: `has more than ${max} characters; shorten it` }
      : /\p{Cc}/u.test(value)
        ? { fault: 'holds a line break, tab or other control character; remove it' }
        : { value };

const oneOf =
  (...names: string[]): Read =>
  (value) =>
    names.includes(value) ? { value } : { fault: `is "${value}"; write ${names.join(', ')}` };

const wholeNumber =
  (min: number, max: number): Read =>
  (value) =>
    /^\d{1,10}$/.test(value) && Number(value) >= min && Number(value) <= max
      ? { value: Number(value) }
      : { fault: `is "${value}"; write a whole number from ${min} to ${max}` };

/** SAR with at most two decimals. */
const amount =
  (allowsZero: boolean): Read =>
  (value) => {
    const fits = isCatalogAmount(value, allowsZero);
    const least = allowsZero ? '0 or more' : 'more than 0';
    return fits
      ? { value: toFixedString(value, 2) }
      : { fault: `is "${value}"; write SAR as ${least} with a point and at most two decimals, like 289.50` };
  };

const fraction: Read = (value) =>
  /^(0(\.\d{1,6})?|1(\.0{1,6})?)$/.test(value)
    ? { value }
    : { fault: `is "${value}"; write a fraction from 0 to 1, like 0.15 for 15 %` };

const bool: Read = (value) =>
  ['true', 'false'].includes(value.toLowerCase())
    ? { value: value.toLowerCase() === 'true' }
    : { fault: `is "${value}"; write true or false` };

const list: Read = (value) => {
  const items = value
    .split(';')
    .map((item) => item.trim())
    .filter((item) => item !== '');
  return items.length > 50 || items.some((item) => item.length > 100)
    ? { fault: 'has more than 50 notes or one of more than 100 characters; write them apart by ;' }
    : { value: items };
};

const moment: Read = (value, now) => {
  const ago = /^(\d{1,5}) days? ago$/.exec(value);
  if (ago) return { value: new Date(now.getTime() - Number(ago[1]) * DAY_MS).toISOString() };
  const isMoment = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d))?$/.test(value);
  const at = new Date(isMoment && isDay(value.slice(0, 10)) ? value : Number.NaN);
  return Number.isNaN(at.getTime())
    ? {
        fault: `is "${value}"; write a date like 2026-01-31, with a time 2026-01-31T09:00:00Z, or "12 days ago"`,
      }
    : { value: at.toISOString() };
};

// A Date takes the 31st of February for the 3rd of March.
function isDay(date: string): boolean {
  const at = new Date(date);
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(date);
}

const required = (read: Read): Column => ({ isRequired: true, read });
const optional = (read: Read): Column => ({ isRequired: false, read });

const COLUMNS: Record<keyof CatalogRow, Column> = {
  brand: required(text(200)),
  brandCommissionRate: optional(fraction),
  scent: required(text(200)),
  description: optional(text(2_000)),
  notes: optional(list),
  gender: required(oneOf('Women', 'Men', 'Unisex')),
  concentration: required(text(100)),
  sku: required(text(128)),
  sizeMl: required(wholeNumber(1, 100_000)),
  warehouse: required(text(40)),
  warehouseName: optional(text(200)),
  listPrice: required(amount(false)),
  cost: required(amount(true)),
  rrp: optional(amount(false)),
  taxClassification: optional(oneOf('STANDARD', 'ZERO')),
  isSample: optional(bool),
  isActive: optional(bool),
  stockOnHand: optional(wholeNumber(0, MAX_STOCK)),
  environment: optional(oneOf('sandbox', 'live')),
  firstOfferedAt: optional(moment),
  loweredFrom: optional(amount(false)),
  loweredAt: optional(moment),
};

/** Every column a file may have, the required ones first. */
export const COLUMN_NAMES = Object.keys(COLUMNS) as (keyof CatalogRow)[];

/** The columns without which no row is a variant. */
const REQUIRED_COLUMNS = COLUMN_NAMES.filter((name) => COLUMNS[name].isRequired);

/** Reads one row; every fault of it, not only the first. White space around a cell does not count. */
export function readRow(
  cells: Readonly<Record<string, string>>,
  now: Date,
): { row: CatalogRow } | { faults: CellFault[] } {
  const faults: CellFault[] = [];
  const row: Partial<Record<keyof CatalogRow, unknown>> = {};
  for (const column of COLUMN_NAMES) {
    const { isRequired, read } = COLUMNS[column];
    const cell = cells[column]?.trim() ?? '';
    if (cell === '') {
      if (isRequired) faults.push({ column, message: 'is empty; every variant needs it' });
      continue;
    }
    const result = read(cell, now);
    if ('fault' in result) faults.push({ column, message: result.fault });
    else row[column] = result.value;
  }
  if ((row.loweredFrom === undefined) !== (row.loweredAt === undefined) && faults.length === 0) {
    faults.push({ column: 'loweredAt', message: 'goes with loweredFrom; give both or neither' });
  }
  return faults.length > 0 ? { faults } : { row: row as CatalogRow };
}

/** What is wrong with a file's columns, in sentences; empty when nothing is. */
export function findColumnFaults(columns: readonly string[]): string[] {
  const known: readonly string[] = COLUMN_NAMES;
  const unknown = columns.filter((column) => !known.includes(column));
  const missing = REQUIRED_COLUMNS.filter((column) => !columns.includes(column));
  const twice = columns.filter((column, index) => columns.indexOf(column) < index);
  return [
    ...(missing.length > 0 ? [`these columns are missing: ${missing.join(', ')}`] : []),
    ...(unknown.length > 0
      ? [`these columns are not known: ${unknown.join(', ')}; a file may have ${COLUMN_NAMES.join(', ')}`]
      : []),
    ...(twice.length > 0 ? [`these columns come twice: ${twice.join(', ')}`] : []),
  ];
}
