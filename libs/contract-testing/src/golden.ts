import { ScalarType, type DescField, type DescMessage } from '@bufbuild/protobuf';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Message } from './contract';
import { MESSAGES, ROOT } from './schema/schema';
import { RPCS } from './schema/promised-errors';

/** What answers looked like: RPC or event → field path → the forms its value was seen in, such as `absent or decimal.6`. */
export type GoldenForms = Record<string, Record<string, string>>;

const folder = path.join(ROOT, 'libs/contract-testing/golden');
const fileOf = (app: string): string => path.join(folder, `${app}.json`);
const types = new Map(MESSAGES.map((message) => [message.typeName, message]));

/** Keeps the forms of all answers of a run. */
export class GoldenRecorder {
  private readonly forms = new Map<string, Map<string, Set<string>>>();

  record(name: string, answer: Message): void {
    const known = this.forms.get(name) ?? new Map<string, Set<string>>();
    this.forms.set(name, known);
    for (const [field, form] of formsOf(name, answer)) {
      const seen = known.get(field) ?? new Set<string>();
      known.set(field, seen.add(form));
    }
  }

  /** Sorted, so that a file of it changes only where answers did. */
  toJson(): GoldenForms {
    const sorted = <T>(map: Map<string, T>): [string, T][] =>
      [...map].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
    return Object.fromEntries(
      sorted(this.forms).map(([name, fields]) => [
        name,
        Object.fromEntries(sorted(fields).map(([field, seen]) => [field, [...seen].sort().join(' or ')])),
      ]),
    );
  }
}

/** What an app's golden file holds. */
export function readGolden(app: string): GoldenForms {
  return existsSync(fileOf(app)) ? (JSON.parse(readFileSync(fileOf(app), 'utf8')) as GoldenForms) : {};
}

/**
 * Keeps it for the consumers' side. A field that is still answered keeps the forms it had, since which of them a run sees may
 * hang on how fast it was (a delivery is under way or made); a form that is really gone is taken out by hand.
 */
export function writeGolden(app: string, forms: GoldenForms): void {
  const known = readGolden(app);
  const kept = Object.entries(forms).map(([name, fields]) => [
    name,
    Object.fromEntries(
      Object.entries(fields).map(([at, seen]) => {
        const forms = [...(known[name]?.[at]?.split(' or ') ?? []), ...seen.split(' or ')];
        return [at, [...new Set(forms)].sort().join(' or ')];
      }),
    ),
  ]);
  mkdirSync(folder, { recursive: true });
  writeFileSync(fileOf(app), `${JSON.stringify(Object.fromEntries(kept), null, 2)}\n`);
}

/** What a run answered that is not on record, and which answers on record it did not answer at all, in words. */
export function differencesFrom(known: GoldenForms, forms: GoldenForms): string[] {
  const gone = Object.keys(known).filter((name) => !(name in forms));
  const added = Object.entries(forms).flatMap(([name, fields]) =>
    Object.entries(fields).flatMap(([at, seen]) => {
      const before = known[name]?.[at]?.split(' or ') ?? [];
      const strange = seen.split(' or ').filter((form) => !before.includes(form));
      return strange.map((form) => `${name} answers ${at} as ${form}, which is not on record`);
    }),
  );
  return [...gone.map((name) => `${name} was not answered`), ...added];
}

/** Every form that a provider answered a field of a message in, in whatever RPC or event carries the message. */
export function formsByField(golden: GoldenForms): ReadonlyMap<string, ReadonlySet<string>> {
  const forms = new Map<string, Set<string>>();
  for (const [name, fields] of Object.entries(golden))
    for (const [at, seen] of Object.entries(fields)) {
      const field = fieldOf(name, at);
      if (!field) continue;
      const all = forms.get(field) ?? new Set<string>();
      forms.set(field, all);
      for (const form of seen.split(' or ')) all.add(form);
    }
  return forms;
}

/** Where an answer has a form that the provider's contract never answered, in words. */
export function strangeForms(
  golden: ReadonlyMap<string, ReadonlySet<string>>,
  rpc: string,
  answer: Message,
): string[] {
  return formsOf(rpc, answer).flatMap(([at, form]) => {
    const forms = [...(golden.get(fieldOf(rpc, at) ?? '') ?? [])];
    if (form === 'absent' || forms.includes(form) || isWider(forms, form)) return [];
    return [`${rpc} answers ${at} as ${forms.join(' or ') || 'nothing'}, not as ${form}`];
  });
}

/** `Message.field` of a path of an answer. */
function fieldOf(name: string, at: string): string | undefined {
  let message = RPCS.get(name)?.output ?? types.get(name);
  let field: DescField | undefined;
  for (const part of at.replaceAll('[]', '').split('.')) {
    field = message?.fields.find((one) => one.name === part);
    message = field?.message;
  }
  return field && `${field.parent.name}.${field.name}`;
}

/** Free text admits any text that is there. */
const isWider = (forms: readonly string[], form: string): boolean =>
  forms.includes('text') && form !== 'absent' && form !== 'empty' && form !== 'message';

/** Each field of an answer by its path, and the form of its value; every element of a list counts by itself. */
export function formsOf(name: string, answer: Message): [string, string][] {
  const type = RPCS.get(name)?.output ?? types.get(name);
  if (!type) throw new Error(`no .proto file declares ${name}`);
  return [...walk(type, answer, '')];
}

function* walk(type: DescMessage, message: Message, prefix: string): Generator<[string, string]> {
  for (const field of type.fields) {
    const at = `${prefix}${field.name}`;
    const value = message[field.name];
    if (field.fieldKind === 'list') {
      for (const one of value as unknown[]) yield* walkValue(field, one, `${at}[]`);
    } else yield* walkValue(field, value, at);
  }
}

function* walkValue(field: DescField, value: unknown, at: string): Generator<[string, string]> {
  if (value === undefined || value === null) {
    yield [at, 'absent'];
  } else if (field.message && !field.message.typeName.startsWith('google.')) {
    yield [at, 'message'];
    yield* walk(field.message, value as Message, `${at}.`);
  } else if (field.message) {
    yield [at, 'time'];
  } else if (field.enum) {
    yield [at, 'enum'];
  } else yield [at, formOfScalar(field.scalar, value)];
}

function formOfScalar(scalar: ScalarType | undefined, value: unknown): string {
  return scalar === ScalarType.STRING
    ? formOfText(String(value))
    : typeof value === 'string'
      ? 'integer'
      : typeof value;
}

function formOfText(value: string): string {
  if (value === '') return 'empty';
  if (/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(value)) return 'uuid';
  const decimals = /^-?\d+\.(\d+)$/.exec(value)?.[1];
  return decimals ? `decimal.${decimals.length}` : 'text';
}
