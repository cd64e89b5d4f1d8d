import type { DescField, DescMessage, DescOneof } from '@bufbuild/protobuf';
import { RPCS } from '../schema/promised-errors';
import type { Golden } from '../golden';

/** A reply of which a test gives only what it is about; a field given as undefined is absent. */
export type Partially<T> = T extends Date | Buffer
  ? T
  : T extends readonly (infer E)[]
    ? readonly Partially<E>[]
    : T extends object
      ? { readonly [K in keyof T]?: Partially<T[K]> | undefined }
      : T;

type Given = Readonly<Record<string, unknown>>;

const AN_ID = '019a2f40-0000-7000-8000-000000000001';
const A_TIME = new Date('2026-01-15T09:30:00.000Z');

/** A generated reply of the RPC: what is given, and for the rest the plainest form of the golden file (absent where it may be). */
export function completeReply(rpc: string, given: object, golden: Golden): object {
  const method = RPCS.get(rpc);
  if (!method) throw new Error(`no .proto file declares ${rpc}`);
  return complete(method.output, given as Given, golden);
}

function complete(message: DescMessage, given: Given, golden: Golden): object {
  return Object.fromEntries(
    message.members.map((member) => {
      const { localName } = member;
      if (member.kind === 'oneof') return [localName, completeChoice(member, given[localName], golden)];
      const isGiven = localName in given;
      return [
        localName,
        isGiven ? completeValue(member, given[localName], golden) : plainest(member, golden),
      ];
    }),
  );
}

function completeChoice(oneof: DescOneof, given: unknown, golden: Golden): unknown {
  const { $case, value } = (given ?? {}) as { $case?: string; value?: unknown };
  const chosen = oneof.fields.find(({ localName }) => localName === $case);
  return chosen && { $case, value: completeValue(chosen, value, golden) };
}

function completeValue(field: DescField, given: unknown, golden: Golden): unknown {
  const { message } = field;
  if (given === undefined || !message || message.typeName.startsWith('google.')) return given;
  return field.fieldKind === 'list'
    ? (given as Given[]).map((one) => complete(message, one, golden))
    : complete(message, given as Given, golden);
}

function plainest(field: DescField, golden: Golden): unknown {
  const forms = golden.formsOf(field);
  const [form] = forms;
  const isList = field.fieldKind === 'list';
  if (form === undefined || forms.includes('absent')) return isList ? [] : undefined;
  const isMessage = field.message && form === 'message';
  const value = isMessage ? complete(field.message, {}, golden) : plainValue(field, form);
  return isList ? [value] : value;
}

function plainValue(field: DescField, form: string): unknown {
  if (field.enum) return field.enum.values.find(({ number }) => number > 0)?.name;
  if (form === 'time') return A_TIME;
  if (form === 'uuid') return AN_ID;
  if (form === 'integer') return '1';
  if (form === 'number') return field.name === 'page_size' ? 20 : 1;
  if (form === 'boolean') return true;
  if (form === 'empty') return '';
  const decimals = /^decimal\.(\d+)$/.exec(form)?.[1];
  if (decimals) return `1.${'0'.repeat(Number(decimals))}`;
  return field.name.endsWith('currency') ? 'SAR' : field.name;
}
