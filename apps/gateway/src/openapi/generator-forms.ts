// What says the same to a reader, in the form of which generators of clients make the most.

const PLAIN = new Set(['string', 'number', 'integer', 'boolean']);

type Json = Readonly<Record<string, unknown>>;

const isObject = (json: unknown): json is Json => typeof json === 'object' && json !== null;

/** The same JSON with forms that generators take: see the functions below. */
export function forGenerators<T>(json: T): T {
  if (Array.isArray(json)) return json.map(forGenerators) as T;
  if (!isObject(json)) return json;
  const all = Object.fromEntries(Object.entries(json).map(([key, value]) => [key, forGenerators(value)]));
  return describeParameter(foldNullable(all)) as T;
}

/** A plain value that may be null is one schema of two types, not a choice of two schemas. */
function foldNullable({ anyOf, ...others }: Json): Json {
  const [plain, nothing, ...more] = Array.isArray(anyOf) ? (anyOf as Json[]) : [];
  const isFoldable = nothing?.type === 'null' && more.length === 0 && PLAIN.has(String(plain?.type));
  if (!isFoldable || plain?.enum) return anyOf === undefined ? others : { anyOf, ...others };
  return { ...plain, type: [plain?.type, 'null'], ...others };
}

/** What describes a parameter stands at it: beside the reference of its schema it costs Python the type. */
function describeParameter(json: Json): Json {
  const { schema, ...others } = json;
  if (!('in' in json && 'name' in json && isObject(schema) && 'description' in schema)) return json;
  const { description, ...bare } = schema;
  return { ...others, description: others.description ?? description, schema: bare };
}
