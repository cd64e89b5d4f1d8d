import { readFileSync } from 'node:fs';
import path from 'node:path';
import {
  createFileRegistry,
  fromBinary,
  getExtension,
  hasExtension,
  type DescEnum,
  type DescExtension,
  type DescField,
  type DescFile,
  type DescMessage,
  type DescMethod,
  type DescService,
} from '@bufbuild/protobuf';
import { FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt';

/** The top of the repository. */
export const ROOT = path.resolve(__dirname, '../../../..');

/** The .proto files as `nx run contracts:generate` compiled them, comments included. */
const compiled = readFileSync(path.join(ROOT, 'libs/contracts/src/gen/protos.binpb'));
const files = fromBinary(FileDescriptorSetSchema, compiled);
const registry = createFileRegistry(files);
const ours = ({ name }: DescFile): boolean => name.startsWith('reseller/');

/** Our .proto files with their comments, by name. */
export const FILES: readonly DescFile[] = [...registry.files]
  .filter(ours)
  .sort((a, b) => (a.name < b.name ? -1 : 1));

/** Every service that they declare. */
export const SERVICES: readonly DescService[] = FILES.flatMap((file) => file.services);

/** Every message that they declare. */
export const MESSAGES: readonly DescMessage[] = FILES.flatMap((file) => file.messages);

/** The function with what it returned for each argument kept. */
export function once<Argument, T>(make: (argument: Argument) => T): (argument: Argument) => T {
  const made = new Map<Argument, T>();
  return (argument) => {
    if (!made.has(argument)) made.set(argument, make(argument));
    return made.get(argument) as T;
  };
}

const commentsByPath = once(
  ({ proto }: DescFile) =>
    new Map(proto.sourceCodeInfo?.location.map((one) => [one.path.join(' '), one.leadingComments])),
);

/** What stands in front of a declaration, line by line without the marks. */
export const commentOf = (file: DescFile, sourcePath: readonly number[]): string =>
  (commentsByPath(file).get(sourcePath.join(' ')) ?? '').replace(/^ /gm, '').trim();

/** What stands in front of a field. */
export const fieldComment = ({ parent, parent: { file }, number }: DescField): string =>
  commentOf(file, [
    4,
    file.messages.indexOf(parent),
    2,
    parent.fields.findIndex((one) => one.number === number),
  ]);

/** What stands in front of an enum's first value, which is the one of nothing. */
export const zeroComment = (type: DescEnum): string =>
  commentOf(type.file, [5, type.file.enums.indexOf(type), 2, 0]);

/** The apps that may call an RPC: its own list, else its service's. */
export function callersOf(method: DescMethod): readonly string[] {
  const own = listOption(method.proto.options, 'reseller.common.v1.rpc_callers');
  return own.length > 0 ? own : listOption(method.parent.proto.options, 'reseller.common.v1.callers');
}

function listOption(
  options: Parameters<typeof getExtension>[0] | undefined,
  name: string,
): readonly string[] {
  const extension: DescExtension | undefined = registry.getExtension(name);
  if (!options || !extension || !hasExtension(options, extension)) return [];
  return getExtension(options, extension) as readonly string[];
}
