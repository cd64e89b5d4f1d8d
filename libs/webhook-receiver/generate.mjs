// Writes src/events.ts, the types of the events, from their declarations in libs/presenters/src/webhook-events. It is in no
// commit: `nx run webhook-receiver:generate`, and whatever needs the types, makes it.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { loadSources } from '../toolchain/load-sources.mjs';

const here = path.dirname(fileURLToPath(import.meta.url));

/** The TypeScript type of a JSON schema. */
function typeOf(schema) {
  if (schema.$ref) return schema.$ref.replace('#/$defs/', '');
  if (schema.anyOf) return schema.anyOf.map(typeOf).join(' | ');
  if (schema.enum) return schema.enum.map((value) => `'${value}'`).join(' | ');
  if (Array.isArray(schema.type)) return schema.type.map((type) => typeOf({ type })).join(' | ');
  if (schema.type === 'array') return `${arrayItem(schema.items)}[]`;
  if (schema.type === 'object') return `{ ${propertiesOf(schema).join(' ')} }`;
  if (schema.type === 'integer') return 'number';
  if (['string', 'number', 'boolean', 'null'].includes(schema.type)) return schema.type;
  throw new Error(`no type for ${JSON.stringify(schema)}`);
}

const arrayItem = (items) =>
  items.anyOf || items.enum || Array.isArray(items.type) ? `(${typeOf(items)})` : typeOf(items);

const comment = (text) => (text ? `/** ${text} */\n` : '');

const propertiesOf = (schema) =>
  Object.entries(schema.properties).map(
    ([name, property]) =>
      `${property.$ref ? '' : comment(property.description)}${name}: ${typeOf(property)};`,
  );

const { events, z } = await loadSources(`
  import { z } from 'zod';
  import { WEBHOOK_EVENTS as events } from './libs/presenters/src/webhook-events/webhook-events';
  export { events, z };`);
const named = new Map();
for (const { schema } of events) {
  const { id } = schema.meta();
  const json = z.toJSONSchema(schema);
  const definitions = json.properties ? { ...json.$defs, [id]: json } : json.$defs;
  for (const [name, definition] of Object.entries(definitions)) {
    const form =
      name === id
        ? `export interface ${name} {\n${propertiesOf(definition).join('\n')}\n}`
        : `export type ${name} = ${typeOf(definition)};`;
    named.set(name, `${comment(definition.description)}${form}`);
  }
}

const aliasOf = ({ name }) =>
  `${name.replace(/(?:^|[.-])([a-z])/g, (_, letter) => letter.toUpperCase())}Event`;
const aliases = events.map(
  (event) =>
    `${comment(event.description)}export type ${aliasOf(event)} = Envelope<'${event.name}', ${event.schema.meta().id}>;`,
);

writeFileSync(
  path.join(here, 'src/events.ts'),
  `// Made by libs/webhook-receiver/generate.mjs.
${[...named.values()].join('\n\n')}

/** What every event has around its data. */
interface Envelope<Type extends string, Data> {
  /** The same for every retry, redelivery and subscription: what to deduplicate on. */
  eventId: string;
  eventType: Type;
  /** ISO 8601, UTC. */
  occurredAt: string;
  data: Data;
}

${aliases.join('\n')}

/**
 * Every event there is today, distinguished by \`eventType\`. A type that a later version of the platform adds reaches you
 * too once you subscribe to it, so let your switch have a default.
 */
export type WebhookEvent =
${events.map((event) => `  | ${aliasOf(event)}`).join('\n')};
`,
);
