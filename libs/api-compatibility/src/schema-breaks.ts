import type { Schema } from './contract';
import { changesOf, type Change, type Effect } from './schema-changes';

/** Who reads the value: the platform what partners send, partners what they receive. */
export type Direction = 'request' | 'response';

/** Where in a body, parameter or header a value is: the way there, and the named schema that it belongs to with the way from there. */
export interface Place {
  readonly field: string;
  readonly owner: string;
}

/** One thing that partners relied on and that is no longer so. */
interface SchemaBreak extends Place {
  readonly says: string;
  readonly remedy: string;
}

/** The named schemas of both contracts, and which way a value goes. */
interface Sides {
  readonly was: Readonly<Record<string, Schema>>;
  readonly is: Readonly<Record<string, Schema>>;
  readonly direction: Direction;
}

const BREAKING: Readonly<Record<Direction, readonly Effect[]>> = {
  request: ['narrowed', 'changed'],
  response: ['widened', 'changed'],
};

/** What a value of the schema was promised to be, to whoever sends or receives it, and is no longer. */
export function schemaBreaks(sides: Sides, was: Schema, is: Schema): readonly SchemaBreak[] {
  return [...compare(sides, was, is, { field: '', owner: '' }, [])];
}

function* compare(
  sides: Sides,
  was: Schema,
  is: Schema,
  place: Place,
  under: readonly string[],
): Generator<SchemaBreak> {
  const pair = `${was.$ref ?? ''} ${is.$ref ?? ''}`;
  // A schema that holds itself is compared once.
  if (was.$ref && under.includes(pair)) return;
  const here = was.$ref ? { ...place, owner: was.$ref } : place;
  const within = was.$ref ? [...under, pair] : under;
  const before = resolved(was, sides.was);
  const after = resolved(is, sides.is);
  if (before.oneOf || after.oneOf) {
    yield* formBreaks(sides, [was, before], [is, after], here, within);
    return;
  }
  for (const change of changesOf(before, after)) yield* breakOf(sides, change, here);
  yield* fieldBreaks(sides, before, after, here, within);
  if (before.items ?? after.items)
    yield* compare(sides, before.items ?? {}, after.items ?? {}, inside(here, '[]'), within);
  if (typeof before.additionalProperties === 'object' && typeof after.additionalProperties === 'object')
    yield* compare(
      sides,
      before.additionalProperties,
      after.additionalProperties,
      inside(here, '.*'),
      within,
    );
}

function* breakOf(
  { direction }: Sides,
  { effect, says, remedy }: Change,
  place: Place,
): Generator<SchemaBreak> {
  if (BREAKING[direction].includes(effect)) yield { ...place, says, remedy };
}

/** The schema that a reference names, with what stands beside the reference. */
function resolved(schema: Schema, named: Readonly<Record<string, Schema>>): Schema {
  const { $ref, ...beside } = schema;
  if ($ref === undefined) return schema;
  const target = named[$ref];
  if (!target) throw new Error(`a schema refers to ${$ref}, which the document does not have`);
  return { ...resolved(target, named), ...beside };
}

const inside = ({ field, owner }: Place, step: string): Place => ({
  field: step.startsWith('.') && field === '' ? step.slice(1) : `${field}${step}`,
  owner: `${owner}${step}`,
});

function* fieldBreaks(
  sides: Sides,
  was: Schema,
  is: Schema,
  place: Place,
  under: readonly string[],
): Generator<SchemaBreak> {
  const before = was.properties ?? {};
  const after = is.properties ?? {};
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const here = inside(place, `.${name}`);
    const old = before[name];
    const now = after[name];
    const wasRequired = was.required?.includes(name) ?? false;
    const isRequired = is.required?.includes(name) ?? false;
    if (old && !now) yield { ...here, ...GONE[sides.direction] };
    else if (!old && isRequired) yield* breakOf(sides, NEWLY_REQUIRED, here);
    else if (old && now) {
      if (wasRequired !== isRequired) yield* breakOf(sides, isRequired ? REQUIRED : OPTIONAL, here);
      yield* compare(sides, old, now, here, under);
    }
  }
}

const GONE: Readonly<Record<Direction, { readonly says: string; readonly remedy: string }>> = {
  request: { says: 'is not taken any more', remedy: 'Take it still, even where it has no effect.' },
  response: { says: 'is not there any more', remedy: 'Keep it beside what replaces it.' },
};
const NEWLY_REQUIRED: Change = {
  effect: 'narrowed',
  says: 'is new and has to be sent',
  remedy: 'Let it be left out, and do then what was done before.',
};
const REQUIRED: Change = {
  effect: 'narrowed',
  says: 'has to be sent and could be left out',
  remedy: 'Let it be left out still.',
};
const OPTIONAL: Change = {
  effect: 'widened',
  says: 'may be missing and was always there',
  remedy: 'Have it always there.',
};

/** The forms of a choice by what they differ in: the discriminator's word, else their name, else their type. */
function formsOf(
  named: Readonly<Record<string, Schema>>,
  [written, schema]: readonly [Schema, Schema],
): Map<string, Schema> {
  const { nullable: _nullable, default: _default, ...single } = written;
  const { discriminator, oneOf = [single] } = schema;
  return new Map(
    oneOf.map((form) => {
      const word = discriminator && resolved(form, named).properties?.[discriminator]?.enum?.[0];
      return [String(word ?? form.$ref ?? form.type ?? JSON.stringify(form)), form];
    }),
  );
}

type Choice = readonly [written: Schema, resolved: Schema];

function* formBreaks(
  sides: Sides,
  was: Choice,
  is: Choice,
  place: Place,
  under: readonly string[],
): Generator<SchemaBreak> {
  const [, before] = was;
  const [, after] = is;
  // What a choice says beside its forms; a single form's own words are compared with its counterpart.
  const beside = ({ oneOf, nullable, extensible, default: byDefault }: Schema): Schema => ({
    ...(oneOf && { oneOf }),
    ...(oneOf && extensible && { extensible }),
    ...(nullable && { nullable }),
    ...(byDefault !== undefined && { default: byDefault }),
  });
  for (const change of changesOf(beside(before), beside(after))) yield* breakOf(sides, change, place);
  const old = formsOf(sides.was, was);
  const now = formsOf(sides.is, is);
  for (const [name, form] of old) {
    const counterpart = now.get(name);
    if (counterpart) yield* compare(sides, form, counterpart, inside(place, `(${name})`), under);
    else yield { ...place, says: `is never ${name} any more`, remedy: 'Keep the form.' };
  }
  if (before.extensible) return;
  const added = [...now.keys()].filter((name) => !old.has(name));
  if (added.length > 0)
    yield* breakOf(
      sides,
      {
        effect: 'widened',
        says: `may be ${added.join(', ')}, a form that nobody knows`,
        remedy: 'Keep to the forms that there are, or add a field.',
      },
      place,
    );
}
