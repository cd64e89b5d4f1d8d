import type { Json, JsonObject, Schema } from './contract';

/** Where the document keeps its schemas. */
const SCHEMAS = '#/components/schemas/';

/** Said to people, and nothing that a program could notice. */
const PROSE = new Set(['title', 'description', 'example', 'examples', '$comment', 'deprecated']);

/** Of each of these a schema of the contract says the same. */
const KEPT = new Set([
  'format',
  'pattern',
  'multipleOf',
  'minimum',
  'exclusiveMinimum',
  'maximum',
  'exclusiveMaximum',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'default',
]);

const isObject = (json: Json | undefined): json is JsonObject =>
  typeof json === 'object' && json !== null && !Array.isArray(json);

/** The value where it is of the form that the specification gives it. */
function checked<T extends Json>(key: string, value: Json, is: (json: Json) => boolean): T {
  if (!is(value))
    throw new Error(`a schema's ${key} is ${JSON.stringify(value)}, which OpenAPI 3.1 does not have`);
  return value as T;
}

const objectOf = (key: string, value: Json): JsonObject => checked<JsonObject>(key, value, isObject);
const arrayOf = (key: string, value: Json): readonly Json[] =>
  checked<readonly Json[]>(key, value, Array.isArray);
const sorted = (words: readonly Json[]): readonly Json[] =>
  [...words].sort((a, b) => (String(a) < String(b) ? -1 : 1));

/** A JSON Schema of an OpenAPI 3.1 document in the one form that the comparison reads. */
export function schemaOf(json: Json): Schema {
  if (json === true) return {};
  const source = objectOf('value', json);
  let schema: Schema = {};
  for (const [key, value] of Object.entries(source))
    if (!PROSE.has(key)) schema = { ...schema, ...partOf(key, value, source) };
  return schema;
}

/** What one keyword adds to a schema. One that is not known here would be compared by nobody, so it is an error. */
function partOf(key: string, value: Json, source: JsonObject): Schema {
  if (KEPT.has(key)) return key === 'format' && value === 'password' ? {} : { [key]: value };
  switch (key) {
    case '$ref':
      return {
        $ref: checked<string>(key, value, (json) => String(json).startsWith(SCHEMAS)).slice(SCHEMAS.length),
      };
    case 'type':
      return typePart(value);
    case 'const':
      return { enum: [value] };
    case 'enum':
      return wordsPart(arrayOf(key, value));
    case 'x-extensible':
      return value === true ? { extensible: true } : {};
    case 'uniqueItems':
      return value === true ? { uniqueItems: true } : {};
    case 'items':
      return { items: schemaOf(value) };
    case 'properties':
      return {
        properties: Object.fromEntries(
          Object.entries(objectOf(key, value)).map(([name, property]) => [name, schemaOf(property)]),
        ),
      };
    case 'required':
      return { required: sorted(arrayOf(key, value)).map(String) };
    case 'additionalProperties':
      return additionalPart(value);
    case 'anyOf':
    case 'oneOf':
      return formsPart(arrayOf(key, value).map(schemaOf), isObject(source['discriminator']));
    case 'discriminator':
      return { discriminator: String(objectOf(key, value)['propertyName']) };
    default:
      throw new Error(`a schema says ${key}, which libs/api-compatibility does not compare yet`);
  }
}

function typePart(value: Json): Schema {
  const types = (Array.isArray(value) ? value : [value]).map(String);
  const others = types.filter((type) => type !== 'null');
  if (others.length === 0) return { type: 'null' };
  if (others.length > 1)
    return { oneOf: others.map((type) => ({ type })), ...nullable(types.length > others.length) };
  return { type: others[0] ?? 'null', ...nullable(types.length > 1) };
}

function wordsPart(words: readonly Json[]): Schema {
  const others = words.filter((word) => word !== null);
  return { enum: sorted(others), ...nullable(others.length < words.length) };
}

function additionalPart(value: Json): Schema {
  if (value === false) return { additionalProperties: false };
  const schema = schemaOf(value);
  return Object.keys(schema).length === 0 ? {} : { additionalProperties: schema };
}

/** A choice of which one form is null is the other form, or the choice of the others, that may be null. */
function formsPart(forms: readonly Schema[], isDiscriminated: boolean): Schema {
  const others = forms.filter(({ type }) => type !== 'null');
  const mayBeNull = nullable(others.length < forms.length);
  const [only] = others;
  if (only && others.length === 1 && !isDiscriminated) return { ...only, ...mayBeNull };
  return { oneOf: others, ...mayBeNull };
}

const nullable = (may: boolean): Schema => (may ? { nullable: true } : {});
