import { ScalarType, type DescField, type DescMessage } from '@bufbuild/protobuf';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Message } from './message';
import { RPCS } from './schema/promised-errors';
import { MESSAGES, ROOT } from './schema/schema';

/** What replies look like: RPC or event → field path → the forms its value was seen in, such as `absent or decimal.6`. */
export type GoldenForms = Record<string, Record<string, string>>;

const fileOf = (app: string): string => path.join(ROOT, `libs/contract-testing/golden/${app}.json`);
const types = new Map(MESSAGES.map((message) => [message.typeName, message]));
const split = (forms: string | undefined): string[] => forms?.split(' or ') ?? [];

/** Fields that nothing outside a service can bring about, with their forms by hand: faults and mail are not there in a run. */
const UNREACHABLE: Readonly<Record<string, string>> = {
  'CheckRun.failure': 'absent or text',
  'ListDifferencesResponse.differences': 'absent or message',
  'Difference.id': 'uuid',
  'Difference.check': 'text',
  'Difference.kind': 'text',
  'Difference.subject': 'text',
  'Difference.expected': 'text',
  'Difference.found': 'text',
  'Difference.first_seen_at': 'time',
  'Difference.last_seen_at': 'time',
  'Difference.resolved_at': 'absent or time',
  'Statement.email_sent_at': 'absent or time',
};

/** What the golden file of an app holds. */
export function readGolden(app: string): GoldenForms {
  return JSON.parse(readFileSync(fileOf(app), 'utf8')) as GoldenForms;
}

/** Keeps the forms of all replies of a run. */
export class GoldenRecorder {
  private readonly forms = new Map<string, Map<string, Set<string>>>();

  record(name: string, reply: Message): void {
    const known = this.forms.get(name) ?? new Map<string, Set<string>>();
    this.forms.set(name, known);
    for (const [field, form] of formsOf(name, reply))
      known.set(field, (known.get(field) ?? new Set<string>()).add(form));
  }

  /** Sorted, so that a golden file changes only where replies did. */
  toJson(): GoldenForms {
    const sorted = <T>(map: Map<string, T>): [string, T][] => [...map].sort(([a], [b]) => (a < b ? -1 : 1));
    return Object.fromEntries(
      sorted(this.forms).map(([name, fields]) => [
        name,
        Object.fromEntries(sorted(fields).map(([field, seen]) => [field, [...seen].sort().join(' or ')])),
      ]),
    );
  }
}

/**
 * Writes the golden file. A field that is still in replies keeps the forms it had, since which of them a run sees may hang on how
 * fast it was (a delivery is under way or made); a form that is really gone is taken out by hand.
 */
export function writeGolden(app: string, seen: GoldenForms): void {
  const known = readGolden(app);
  const kept = Object.entries(seen).map(([name, fields]) => [
    name,
    Object.fromEntries(
      Object.entries(fields).map(([at, forms]) => [
        at,
        [...new Set([...split(known[name]?.[at]), ...split(forms)])].sort().join(' or '),
      ]),
    ),
  ]);
  writeFileSync(fileOf(app), `${JSON.stringify(Object.fromEntries(kept), null, 2)}\n`);
}

/** What a run saw that the golden file does not hold, and which of its replies the run did not see at all, in words. */
export function differencesFrom(known: GoldenForms, seen: GoldenForms): string[] {
  const gone = Object.keys(known).filter((name) => !(name in seen));
  const added = Object.entries(seen).flatMap(([name, fields]) =>
    Object.entries(fields).flatMap(([at, forms]) =>
      split(forms)
        .filter((form) => !split(known[name]?.[at]).includes(form))
        .map((form) => `${name} has ${at} as ${form}, which is not in the golden file`),
    ),
  );
  return [...gone.map((name) => `${name} was not seen`), ...added];
}

/** The golden file of an app by `Message.field`, whichever RPC or event carries the message. */
export class Golden {
  private readonly forms = new Map(
    Object.entries(UNREACHABLE).map(([field, forms]) => [field, new Set(split(forms))]),
  );

  constructor(readonly file: GoldenForms) {
    for (const [name, fields] of Object.entries(file))
      for (const [at, seen] of Object.entries(fields)) {
        const field = fieldOf(name, at);
        const all = this.forms.get(field) ?? new Set<string>();
        this.forms.set(field, all);
        for (const form of split(seen)) all.add(form);
      }
  }

  /** In which forms the provider has filled a field, `absent` among them. */
  formsOf(field: string): readonly string[] {
    return [...(this.forms.get(field) ?? [])].sort();
  }

  /** Where a reply has a form that the provider never sends, in words. */
  strangeForms(rpc: string, reply: Message): string[] {
    return formsOf(rpc, reply).flatMap(([at, form]) => {
      const forms = this.formsOf(fieldOf(rpc, at));
      if (form === 'absent' || forms.includes(form) || isWider(forms, form)) return [];
      return [`${rpc} never has ${at} as ${form}, but as ${forms.join(' or ') || 'nothing'}`];
    });
  }
}

/** `Message.field` of a path of a reply. */
function fieldOf(name: string, at: string): string {
  let message = RPCS.get(name)?.output ?? types.get(name);
  let field: DescField | undefined;
  for (const part of at.replaceAll('[]', '').split('.')) {
    field = message?.fields.find((one) => one.name === part);
    message = field?.message;
  }
  return `${field?.parent.name}.${field?.name}`;
}

/** Free text admits any text that is there. */
const isWider = (forms: readonly string[], form: string): boolean =>
  forms.includes('text') && form !== 'empty' && form !== 'message';

/** Each field of a reply by its path, and the form of its value; every element of a list counts by itself. */
function formsOf(name: string, reply: Message): [string, string][] {
  const type = RPCS.get(name)?.output ?? types.get(name);
  if (!type) throw new Error(`no .proto file declares ${name}`);
  return [...walk(type, reply, '')];
}

function* walk(type: DescMessage, message: Message, prefix: string): Generator<[string, string]> {
  for (const field of type.fields) {
    const value = message[field.name];
    const at = `${prefix}${field.name}`;
    if (field.fieldKind !== 'list') yield* walkValue(field, value, at);
    else for (const one of value as unknown[]) yield* walkValue(field, one, `${at}[]`);
  }
}

function* walkValue(field: DescField, value: unknown, at: string): Generator<[string, string]> {
  yield [at, formOf(field, value)];
  if (value && field.message && !isTime(field)) yield* walk(field.message, value as Message, `${at}.`);
}

const isTime = ({ message }: DescField): boolean => message?.typeName.startsWith('google.') ?? false;

function formOf(field: DescField, value: unknown): string {
  if (value === undefined || value === null) return 'absent';
  if (field.message) return isTime(field) ? 'time' : 'message';
  if (field.enum) return 'enum';
  if (field.scalar !== ScalarType.STRING) return typeof value === 'string' ? 'integer' : typeof value;
  const text = String(value);
  if (text === '') return 'empty';
  if (/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text)) return 'uuid';
  const decimals = /^-?\d+\.(\d+)$/.exec(text)?.[1];
  return decimals ? `decimal.${decimals.length}` : 'text';
}
