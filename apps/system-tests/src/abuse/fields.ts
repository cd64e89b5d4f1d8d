/** As much of a JSON schema as values at its borders are made from. */
export interface Schema {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly maxItems?: number;
}

/** A place in a body, "lines.0.quantity" as its keys, and what is declared of it. */
export interface Field {
  readonly keys: readonly string[];
  readonly schema: Schema;
}

/** Every place that a body's schema declares, the first element of each list for all of them. */
export function fieldsOf(schema: Schema, keys: readonly string[] = []): Field[] {
  const { properties, items, anyOf } = schema;
  if (anyOf) {
    const whole = anyOf.find(({ type }) => type !== 'null');
    return whole ? fieldsOf(whole, keys) : [];
  }
  const own = keys.length === 0 ? [] : [{ keys, schema }];
  const below = properties
    ? Object.entries(properties).flatMap(([key, value]) => fieldsOf(value, [...keys, key]))
    : items
      ? fieldsOf(items, [...keys, '0'])
      : [];
  return [...own, ...below];
}

/** The same value with another text of JSON at one place; `json` may be what no value of JavaScript can be. */
export function withJsonAt(value: object, keys: readonly string[], json: string): string {
  const copy = structuredClone(value) as Record<string, unknown>;
  let at: Record<string, unknown> = copy;
  for (const [depth, key] of keys.slice(0, -1).entries()) {
    at[key] ??= keys[depth + 1] === '0' ? [] : {};
    at = at[key] as Record<string, unknown>;
  }
  at[keys.at(-1)!] = PLACE;
  return JSON.stringify(copy).replace(JSON.stringify(PLACE), () => json);
}

const PLACE = '<hostile>';
