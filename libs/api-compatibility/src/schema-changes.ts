import type { Json, Schema } from './contract';

/**
 * What a change does to the set of values that fit a schema. A request may only be widened, for what partners send must be taken still;
 * a response may only be narrowed, for partners must still know all that they get. What is changed is neither.
 */
export type Effect = 'narrowed' | 'widened' | 'changed';

/** One change of a schema, as a sentence whose subject is the field. */
export interface Change {
  readonly effect: Effect;
  readonly says: string;
  readonly remedy: string;
}

const show = (value: Json | undefined): string => (value === undefined ? 'none' : JSON.stringify(value));
const listed = (words: readonly Json[]): string => words.map(show).join(', ');

/** What changed in what a schema says of the value itself; its fields, items and forms are looked at one by one elsewhere. */
export function changesOf(was: Schema, is: Schema): readonly Change[] {
  return [
    ...typeChanges(was, is),
    ...nullChanges(was, is),
    ...wordChanges(was, is),
    ...BOUNDS.flatMap((bound) => boundChanges(bound, was, is)),
    ...OPAQUE.flatMap((key) => opaqueChanges(key, was[key], is[key])),
    ...defaultChanges(was, is),
    ...closingChanges(was, is),
  ];
}

function typeChanges(was: Schema, is: Schema): readonly Change[] {
  if (was.type === is.type) return [];
  const says = `was of type ${was.type ?? 'any'} and is of type ${is.type ?? 'any'}`;
  const remedy = 'Keep the type, and add a field of the new type beside it.';
  if (is.type === undefined || (was.type === 'integer' && is.type === 'number'))
    return [{ effect: 'widened', says, remedy }];
  if (was.type === undefined || (was.type === 'number' && is.type === 'integer'))
    return [{ effect: 'narrowed', says, remedy }];
  return [{ effect: 'changed', says, remedy }];
}

function nullChanges(was: Schema, is: Schema): readonly Change[] {
  if (was.nullable === is.nullable) return [];
  return is.nullable
    ? [{ effect: 'widened', says: 'may be null, and never was', remedy: 'Let it always have a value.' }]
    : [{ effect: 'narrowed', says: 'may not be null any more', remedy: 'Take null as if it was left out.' }];
}

function wordChanges(was: Schema, is: Schema): readonly Change[] {
  const changes: Change[] = [];
  if (!was.extensible && is.extensible && (was.enum ?? was.oneOf))
    changes.push({
      effect: 'widened',
      says: 'was promised to be complete and is a set that may grow',
      remedy: 'Keep the set as it was promised.',
    });
  if (was.enum && is.enum) {
    const gone = was.enum.filter((word) => !is.enum?.includes(word));
    const added = is.enum.filter((word) => !was.enum?.includes(word));
    if (gone.length > 0)
      changes.push({
        effect: 'narrowed',
        says: `does not take ${listed(gone)} any more`,
        remedy: 'Take it still.',
      });
    if (added.length > 0 && !was.extensible)
      changes.push({
        effect: 'widened',
        says: `may be ${listed(added)}, in a set of words that was promised to be complete`,
        remedy: 'Say it by the words that there are, or in a new field.',
      });
  } else if (is.enum)
    changes.push({
      effect: 'narrowed',
      says: `takes ${listed(is.enum)} only`,
      remedy: 'Take what was taken before.',
    });
  else if (was.enum && !was.extensible)
    changes.push({
      effect: 'widened',
      says: `may be more than ${listed(was.enum)}`,
      remedy: 'Keep the set of words.',
    });
  return changes;
}

/** A bound by its name, its exclusive name, whether more is tighter, and what it is when nothing says so. */
interface Bound {
  readonly key: 'minimum' | 'maximum' | 'minLength' | 'maxLength' | 'minItems' | 'maxItems';
  readonly exclusive?: 'exclusiveMinimum' | 'exclusiveMaximum';
  readonly isLower: boolean;
  readonly none: number;
}

const BOUNDS: readonly Bound[] = [
  { key: 'minimum', exclusive: 'exclusiveMinimum', isLower: true, none: -Infinity },
  { key: 'maximum', exclusive: 'exclusiveMaximum', isLower: false, none: Infinity },
  { key: 'minLength', isLower: true, none: 0 },
  { key: 'maxLength', isLower: false, none: Infinity },
  { key: 'minItems', isLower: true, none: 0 },
  { key: 'maxItems', isLower: false, none: Infinity },
];

/** How tight a bound is, as numbers to compare one after the other; and in words. */
function tightness(
  { key, exclusive, isLower, none }: Bound,
  schema: Schema,
): { at: readonly [number, number]; words: string } {
  const sign = isLower ? 1 : -1;
  const inclusiveAt = schema[key] ?? none;
  const exclusiveAt = (exclusive && schema[exclusive]) ?? none;
  const isExclusive = sign * exclusiveAt >= sign * inclusiveAt && exclusiveAt !== none;
  const value = isExclusive ? exclusiveAt : inclusiveAt;
  const beyond = isLower ? 'over ' : 'under ';
  return {
    at: [sign * value, isExclusive ? 1 : 0],
    words: value === none ? 'none' : `${isExclusive ? beyond : ''}${value}`,
  };
}

function boundChanges(bound: Bound, was: Schema, is: Schema): readonly Change[] {
  const before = tightness(bound, was);
  const after = tightness(bound, is);
  const difference = after.at[0] === before.at[0] ? after.at[1] - before.at[1] : after.at[0] - before.at[0];
  if (difference === 0) return [];
  return [
    {
      effect: difference > 0 ? 'narrowed' : 'widened',
      says: `had the ${bound.key} ${before.words} and has ${after.words}`,
      remedy: 'Keep the bound.',
    },
  ];
}

/** What two of them have in common nobody can tell by looking at them. */
const OPAQUE = ['format', 'pattern', 'multipleOf', 'uniqueItems'] as const;

function opaqueChanges(key: string, was: Json | undefined, is: Json | undefined): readonly Change[] {
  if (was === is) return [];
  const says = `had the ${key} ${show(was)} and has ${show(is)}`;
  const remedy = `Keep the ${key}. One that takes and returns the same values may be accepted.`;
  if (was === undefined) return [{ effect: 'narrowed', says, remedy }];
  return [{ effect: is === undefined ? 'widened' : 'changed', says, remedy }];
}

/** Only a request has defaults: who leaves the field out relies on what it then is. */
function defaultChanges(was: Schema, is: Schema): readonly Change[] {
  if (was.default === undefined || JSON.stringify(was.default) === JSON.stringify(is.default)) return [];
  const says = `was ${show(was.default)} when left out and is ${show(is.default)}`;
  return [{ effect: 'narrowed', says, remedy: 'Keep the default.' }];
}

/** That a response gets more fields is no change to anyone: only closing counts. */
function closingChanges(was: Schema, is: Schema): readonly Change[] {
  if (is.additionalProperties !== false || was.additionalProperties === false) return [];
  return [
    {
      effect: 'narrowed',
      says: 'takes no field any more that it does not name',
      remedy: 'Pass over other fields.',
    },
  ];
}
