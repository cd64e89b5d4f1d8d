import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { createFileRegistry, fromBinary } from '@bufbuild/protobuf';
import type { DescEnum, DescMessage, DescService } from '@bufbuild/protobuf';
import { FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt';
import { loadSync } from '@grpc/proto-loader';
import type { MessageTypeDefinition } from '@grpc/proto-loader';
import * as contracts from '../src';

const root = path.resolve(__dirname, '../../..');
const protoDirectory = path.join(root, 'proto');
const ours = (typeName: string): boolean => typeName.startsWith('reseller.');

/** All .proto files of the house, by their import paths. */
export const PROTO_FILES = readdirSync(protoDirectory, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.proto'))
  .map((file) => file.split(path.sep).join('/'))
  .sort();

/** The files as the independent reader understands them. */
export const INDEPENDENT = loadSync(PROTO_FILES, {
  includeDirs: [protoDirectory],
  longs: String,
  enums: String,
  defaults: true,
});

const compiled = readFileSync(path.join(root, 'libs/contracts/src/gen/protos.binpb'));
const registry = [...createFileRegistry(fromBinary(FileDescriptorSetSchema, compiled))];

/** Every message, enum and service that the files declare. */
export const MESSAGES = registry.filter(
  (type): type is DescMessage => type.kind === 'message' && ours(type.typeName),
);
export const ENUMS = registry.filter((type): type is DescEnum => type.kind === 'enum' && ours(type.typeName));
export const SERVICES = registry.filter(
  (type): type is DescService => type.kind === 'service' && ours(type.typeName),
);

/** A message's generated coder. */
export interface GeneratedMessage {
  encode(message: unknown): { finish(): Uint8Array };
  decode(bytes: Uint8Array): unknown;
}

/** A method of a generated service definition. */
export interface GeneratedMethod {
  path: string;
  requestStream: boolean;
  responseStream: boolean;
  requestSerialize(value: unknown): Buffer;
  responseDeserialize(bytes: Buffer): unknown;
}

const generated = contracts as Record<string, unknown>;

/** What @reseller/contracts exports under a name; undefined when it exports nothing of that name. */
export function generatedAs<T>(name: string): T | undefined {
  return generated[name] as T | undefined;
}

/** The independent reader's coder of a message. */
export function independentMessage(typeName: string): MessageTypeDefinition<object, object> {
  return INDEPENDENT[typeName] as MessageTypeDefinition<object, object>;
}
