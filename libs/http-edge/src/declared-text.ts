import type { z } from 'zod';
import type { RequestFaults } from './request-faults';

/** Where a part of a request holds text, as its route declares it. */
type Field =
  | { readonly kind: 'text' }
  | { readonly kind: 'object'; readonly fields: readonly (readonly [name: string, field: Field])[] }
  | { readonly kind: 'list'; readonly most: number; readonly item: Field };

/** Notes a fault for every declared text that no database can keep. */
export type TextCheck = (value: unknown, faults: RequestFaults) => void;

/**
 * Prepares the check of a part's text. Only declared fields are looked into, so that what else a caller sends costs nothing
 * (spec §14.1); `anyText` names fields whose service judges them. Throws when a list has no greatest length: its schema is
 * what bounds the work.
 */
export function compileTextCheck(schema: z.ZodObject, anyText: readonly string[] = []): TextCheck {
  const shape = Object.entries(schema.shape).filter(([name]) => !anyText.includes(name));
  const fields = fieldsOf(shape);
  return (value, faults) => checkFields(fields, value, '', faults);
}

function fieldsOf(shape: readonly (readonly [string, unknown])[]): (readonly [string, Field])[] {
  return shape.flatMap(([name, schema]) => {
    const field = fieldOf(schema as z.core.$ZodTypes, name);
    return field ? [[name, field] as const] : [];
  });
}

function fieldOf(schema: z.core.$ZodTypes, name: string): Field | undefined {
  const { def } = schema._zod;
  switch (def.type) {
    case 'string':
      return { kind: 'text' };
    case 'optional':
    case 'nullable':
    case 'default':
      return fieldOf(def.innerType as z.core.$ZodTypes, name);
    case 'pipe':
      return fieldOf(def.in as z.core.$ZodTypes, name);
    case 'object': {
      if (def.catchall && def.catchall._zod.def.type !== 'never')
        throw new Error(`${name}: an object of a request names its fields`);
      const fields = fieldsOf(Object.entries(def.shape));
      return fields.length > 0 ? { kind: 'object', fields } : undefined;
    }
    case 'array': {
      const most = greatestLength(def);
      if (most === undefined)
        throw new Error(`${name}: a list of a request states its max before its other rules`);
      const item = fieldOf(def.element as z.core.$ZodTypes, name);
      return item && { kind: 'list', most, item };
    }
    case 'number':
    case 'boolean':
    case 'enum':
      return undefined;
    default:
      throw new Error(`${name}: a request has no bounds for a field of type ${def.type}`);
  }
}

/** The length that a list is held to before its elements are looked at. */
function greatestLength({ checks = [] }: z.core.$ZodArrayDef): number | undefined {
  for (const { _zod } of checks) {
    const def = _zod.def as z.core.$ZodCheckMaxLengthDef | z.core.$ZodCheckMinLengthDef;
    if (def.check === 'max_length') return def.maximum;
    if (def.check !== 'min_length') return undefined;
  }
  return undefined;
}

function checkFields(
  fields: readonly (readonly [string, Field])[],
  value: unknown,
  path: string,
  faults: RequestFaults,
): void {
  if (typeof value !== 'object' || value === null) return;
  for (const [name, field] of fields) {
    const child = (value as Record<string, unknown>)[name];
    if (child !== undefined) checkField(field, child, path === '' ? name : `${path}.${name}`, faults);
  }
}

const UNSTORABLE = 'must not hold NUL characters or lone surrogates';
const SURROGATE = /\p{Surrogate}/u;

function checkField(field: Field, value: unknown, path: string, faults: RequestFaults): void {
  if (field.kind === 'object') checkFields(field.fields, value, path, faults);
  else if (field.kind === 'list') checkList(field, value, path, faults);
  else if (typeof value === 'string' && (value.includes('\u0000') || SURROGATE.test(value)))
    faults.add({ path, message: UNSTORABLE });
}

function checkList(
  { most, item }: Field & { kind: 'list' },
  value: unknown,
  path: string,
  faults: RequestFaults,
): void {
  // A longer one is refused for its length, whatever it holds.
  if (!Array.isArray(value) || value.length > most) return;
  value.forEach((element: unknown, index) => checkField(item, element, `${path}.${index}`, faults));
}
