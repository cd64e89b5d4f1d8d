import { expect } from '@jest/globals';
import { ScalarType, type DescField, type DescMessage } from '@bufbuild/protobuf';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Message } from './message';
import { RPCS } from './schema/promised-errors';
import { fieldComment, MESSAGES, ROOT } from './schema/schema';
import { stable } from './stable';

/** What a service's replies are, beyond what its .proto files say. */
export interface GoldenFile {
  /** `Message.field` → the forms that its values were seen in, where the .proto file says another: `absent or decimal.6`. */
  readonly forms: Readonly<Record<string, string>>;
  /** RPC or event → sentence → what its check returns. */
  readonly promises: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** Fields that nothing outside a service can bring about: faults and mail are not there in a run. */
const UNREACHABLE = new Set([
  'CheckRun.failure',
  'Difference.acceptance',
  'Difference.resolved_at',
  'ListDifferencesResponse.differences',
  'Statement.email_sent_at',
]);

const DECIMALS = ['one', 'two', 'three', 'four', 'five', 'six'];
const fileOf = (app: string): string => path.join(ROOT, `libs/contract-testing/golden/${app}.json`);
const types = new Map(MESSAGES.map((message) => [message.typeName, message]));
const split = (forms: string): string[] => forms.split(' or ');
const nameOf = (field: DescField): string => `${field.parent.name}.${field.name}`;
const isTime = ({ message }: DescField): boolean => message?.typeName.startsWith('google.') ?? false;

/** The golden file of an app. */
export class Golden {
  readonly file: GoldenFile;

  constructor(readonly app: string) {
    this.file = JSON.parse(readFileSync(fileOf(app), 'utf8')) as GoldenFile;
  }

  /** In which forms the provider fills a field, `absent` among them: as the golden file has it, else as the .proto file says. */
  formsOf(field: DescField): readonly string[] {
    const known = this.file.forms[nameOf(field)];
    return known === undefined ? declaredForms(field) : split(known);
  }

  /** Where a reply has a form that the provider never sends, in words. */
  strangeForms(rpc: string, reply: Message): string[] {
    return [...walk(typeOf(rpc), reply)].flatMap(([field, form]) => {
      const forms = this.formsOf(field);
      if (form === 'absent' || forms.includes(form) || isWider(forms, form)) return [];
      return [`${rpc} never has ${nameOf(field)} as ${form}, but as ${forms.join(' or ')}`];
    });
  }
}

/** Compares what a run sees with the golden file, or writes it. */
export class GoldenRecorder {
  private readonly golden: Golden;
  private readonly isUpdating = Boolean(process.env['CONTRACT_UPDATE_GOLDEN']);
  private readonly seen = new Map<DescField, Set<string>>();
  private readonly promises: Record<string, Record<string, unknown>> = {};

  constructor(app: string) {
    this.golden = new Golden(app);
  }

  /** Keeps the forms of a reply or an event. */
  record(name: string, reply: Message): void {
    for (const [field, form] of walk(typeOf(name), reply))
      this.seen.set(field, (this.seen.get(field) ?? new Set()).add(form));
  }

  /** Holds what a check returned to what the golden file has for its sentence. */
  compare(name: string, sentence: string, returned: unknown): void {
    const now = stable(returned);
    const known = this.golden.file.promises[name]?.[sentence];
    if (this.isUpdating) (this.promises[name] ??= {})[sentence] = now;
    else if (known === undefined)
      throw new Error(
        `The golden file has nothing for this: ${JSON.stringify(now)}. CONTRACT_UPDATE_GOLDEN=1 adds it.`,
      );
    else expect(now).toEqual(known);
  }

  /** What the replies of a whole run were that neither the golden file nor the .proto files say, in words; or writes it there. */
  differences(): string[] {
    if (this.isUpdating) this.write();
    const fresh = this.isUpdating ? new Golden(this.golden.app) : this.golden;
    return [...this.seen].flatMap(([field, seen]) => {
      const known = fresh.formsOf(field);
      const added = [...seen].filter((form) => !known.includes(form));
      const isEmpty = seen.size === 1 && seen.has('absent') && known.some((form) => form !== 'absent');
      const isKnown = nameOf(field) in fresh.file.forms || UNREACHABLE.has(nameOf(field));
      const never = isEmpty && !isKnown ? ['filled'] : [];
      return [
        ...added.map((form) => `${nameOf(field)} was ${form}, which the golden file does not have`),
        ...never.map(() => `${nameOf(field)} was never filled, which the golden file does not have`),
      ];
    });
  }

  /** A form that was once seen stays: which of them a run sees may hang on how fast it was. */
  private write(): void {
    const forms = new Map(Object.entries(this.golden.file.forms));
    for (const [field, seen] of this.seen) {
      const all = [
        ...new Set([...split(forms.get(nameOf(field)) ?? [...seen].join(' or ')), ...seen]),
      ].sort();
      const declared = declaredForms(field);
      const isDeclared =
        all.some((form) => form !== 'absent') && all.every((form) => declared.includes(form));
      if (isDeclared || UNREACHABLE.has(nameOf(field))) forms.delete(nameOf(field));
      else forms.set(nameOf(field), all.join(' or '));
    }
    const file = { forms: sorted(Object.fromEntries(forms)), promises: sorted(this.promises) };
    writeFileSync(fileOf(this.golden.app), `${JSON.stringify(file, null, 2)}\n`);
  }
}

const sorted = <T>(all: Record<string, T>): Record<string, T> =>
  Object.fromEntries(Object.entries(all).sort(([a], [b]) => (a < b ? -1 : 1)));

/** Free text admits any text that is there. */
const isWider = (forms: readonly string[], form: string): boolean =>
  forms.includes('text') && form !== 'empty' && form !== 'message';

function typeOf(name: string): DescMessage {
  const type = RPCS.get(name)?.output ?? types.get(name);
  if (!type) throw new Error(`no .proto file declares ${name}`);
  return type;
}

/** What a .proto file says of a field: by its type, and of a text by its comment. */
function declaredForms(field: DescField): readonly string[] {
  const isOptional =
    field.oneof !== undefined || field.proto.proto3Optional || UNREACHABLE.has(nameOf(field));
  return isOptional ? ['absent', declaredForm(field)] : [declaredForm(field)];
}

function declaredForm(field: DescField): string {
  if (field.message) return isTime(field) ? 'time' : 'message';
  if (field.enum) return 'enum';
  if (field.scalar === ScalarType.BOOL) return 'boolean';
  if (field.scalar === ScalarType.INT64 || field.scalar === ScalarType.UINT64) return 'integer';
  if (field.scalar !== ScalarType.STRING) return 'number';
  const comment = fieldComment(field);
  if (/\bUUIDs?\b/.test(comment)) return 'uuid';
  const [, most, count = ''] = /(at most )?\b(one|two|three|four|five|six) decimals?\b/.exec(comment) ?? [];
  return count && !most ? `decimal.${DECIMALS.indexOf(count) + 1}` : 'text';
}

/** Each field of a reply with the form of its value; every element of a list counts by itself. */
function* walk(type: DescMessage, message: Message): Generator<[DescField, string]> {
  for (const field of type.fields) {
    const value = message[field.name];
    for (const one of field.fieldKind === 'list' ? (value as unknown[]) : [value]) {
      yield [field, formOf(field, one)];
      if (one && field.message && !isTime(field)) yield* walk(field.message, one as Message);
    }
  }
}

function formOf(field: DescField, value: unknown): string {
  if (value === undefined || value === null) return 'absent';
  if (field.scalar !== ScalarType.STRING) return declaredForm(field);
  const text = String(value);
  if (text === '') return 'empty';
  if (/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text)) return 'uuid';
  const decimals = /^-?\d+\.(\d+)$/.exec(text)?.[1];
  return decimals ? `decimal.${decimals.length}` : 'text';
}
