import type { DescMethod } from '@bufbuild/protobuf';
import { loadSync, type MessageTypeDefinition } from '@grpc/proto-loader';
import path from 'node:path';
import { v7 as uuidv7 } from 'uuid';
import type { Message } from './message';
import { FILES, once, ROOT } from './schema/schema';
import { RPCS } from './schema/promised-errors';

/** The .proto files of a package as a reader that shares no code with the services understands them; a suite needs few packages. */
const independent = once((name: string) =>
  loadSync(
    FILES.filter(({ proto }) => proto.package === name).map((file) => `${file.name}.proto`),
    { includeDirs: [path.join(ROOT, 'proto')], keepCase: true, longs: String, enums: String, defaults: true },
  ),
);

interface Coder {
  encode(message: Message): Buffer;
  decode(bytes: Uint8Array): Message;
}

/** Encodes and decodes a message by its full name, for example reseller.finance.v1.WalletOpened. */
export function coderOf(type: string): Coder {
  const all = independent(type.slice(0, type.lastIndexOf('.')));
  const definition = all[type] as MessageTypeDefinition<object, object> | undefined;
  if (!definition?.format) throw new Error(`no .proto file declares ${type}`);
  return {
    encode: (message) => definition.serialize(fromTimes(message) as object),
    decode: (bytes) => toTimes(definition.deserialize(Buffer.from(bytes))) as Message,
  };
}

const byName = new Map([...RPCS].map(([name, method]) => [name.slice(name.indexOf('.') + 1), method]));

/** An RPC by `Service.Rpc`, or by its name alone, which no other has. */
function rpcOf(name: string): DescMethod {
  const method = RPCS.get(name) ?? byName.get(name);
  if (!method) throw new Error(`no .proto file declares ${name}`);
  return method;
}

/** Whether an RPC's request has a field. */
export const takes = (rpc: string, field: string): boolean => requestFieldsOf(rpc).includes(field);

/** The fields of an RPC's request. */
export const requestFieldsOf = (rpc: string): string[] => rpcOf(rpc).input.fields.map(({ name }) => name);

/** Another value than this one for a field of an RPC's request. */
export function otherThan(rpc: string, field: string, value: unknown): unknown {
  if (typeof value === 'boolean') return !value;
  const type = rpcOf(rpc).input.fields.find(({ name }) => name === field)?.enum;
  return type?.values.find(({ name, number }) => number > 0 && name !== value)?.name ?? uuidv7();
}

/** What an RPC's reply is made of: its messages and lists, without the page and times. */
export const fieldsOf = (rpc: string): { name: string; kind: string }[] =>
  rpcOf(rpc)
    .output.fields.filter(({ name, message }) => name !== 'page' && !message?.typeName.startsWith('google.'))
    .map(({ name, fieldKind }) => ({ name, kind: fieldKind }));

/** Path and coders of an RPC. */
export function methodOf(rpc: string): { name: string; path: string; request: Coder; response: Coder } {
  const method = rpcOf(rpc);
  return {
    name: `${method.parent.name}.${method.name}`,
    path: `/${method.parent.typeName}/${method.name}`,
    request: coderOf(method.input.typeName),
    response: coderOf(method.output.typeName),
  };
}

const isTime = (value: object): value is { seconds: string; nanos: number } =>
  Object.keys(value).length === 2 && 'seconds' in value && 'nanos' in value;

function toTimes(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toTimes);
  if (typeof value !== 'object' || value === null || Buffer.isBuffer(value)) return value;
  if (isTime(value)) return new Date(Number(value.seconds) * 1000 + value.nanos / 1e6).toISOString();
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, toTimes(one)]));
}

function fromTimes(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(fromTimes);
  if (value instanceof Date) {
    const seconds = Math.floor(value.getTime() / 1000);
    return { seconds, nanos: (value.getTime() - seconds * 1000) * 1e6 };
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, fromTimes(one)]));
}
