// A plugin of buf generate: writes rpc-policies.ts, which carries to runtime what the contracts say of each RPC and the
// generated definitions leave out: its idempotency_level, its callers and whether its responses may be older; and index.ts,
// which exports what was generated of every file.
import {
  createFileRegistry,
  create,
  fromBinary,
  getExtension,
  hasExtension,
  toBinary,
} from '@bufbuild/protobuf';
import {
  CodeGeneratorRequestSchema,
  CodeGeneratorResponseSchema,
  CodeGeneratorResponse_Feature,
  FileDescriptorSetSchema,
  MethodOptions_IdempotencyLevel as Level,
} from '@bufbuild/protobuf/wkt';
import { readFileSync } from 'node:fs';

const request = fromBinary(CodeGeneratorRequestSchema, readFileSync(0));
const registry = createFileRegistry(create(FileDescriptorSetSchema, { file: request.protoFile }));
const serviceCallers = registry.getExtension('reseller.common.v1.callers');
const methodCallers = registry.getExtension('reseller.common.v1.rpc_callers');
const boundedStaleness = registry.getExtension('reseller.common.v1.bounded_staleness');

const namesIn = (options, extension) =>
  options && extension && hasExtension(options, extension) ? [...getExtension(options, extension)] : [];

const lines = [...registry]
  .filter((type) => type.kind === 'service')
  .flatMap((service) =>
    service.methods.map((method) => {
      const own = namesIn(method.proto.options, methodCallers);
      const callers = own.length > 0 ? own : namesIn(service.proto.options, serviceCallers);
      const idempotency = Level[method.proto.options?.idempotencyLevel ?? 0];
      const { options } = method.proto;
      const mayBeStale = (options && getExtension(options, boundedStaleness)) || undefined;
      const policy = JSON.stringify({ idempotency, callers, mayBeStale });
      return `  ${JSON.stringify(`/${service.typeName}/${method.name}`)}: ${policy},`;
    }),
  )
  .sort();

const content = `// Generated from proto/ by protoc-gen-rpc-policies.

/** What the contracts say of an RPC beyond its messages. */
export interface RpcPolicy {
  readonly idempotency: 'IDEMPOTENCY_UNKNOWN' | 'NO_SIDE_EFFECTS' | 'IDEMPOTENT';
  /** The apps that may call it. */
  readonly callers: readonly string[];
  /** Whether a response may come from a replica, and so be older, for a caller that accepts it. */
  readonly mayBeStale?: true;
}

/** The policy of each RPC by its path, such as "/reseller.finance.v1.FundsService/CheckFunds". */
export const RPC_POLICIES: Readonly<Record<string, RpcPolicy>> = {
${lines.join('\n')}
};
`;

// A file of options alone holds nothing for programs.
const exported = request.protoFile
  .filter(({ name }) => request.fileToGenerate.includes(name))
  .filter(({ messageType, enumType, service }) => messageType.length + enumType.length + service.length > 0)
  .map(({ name }) => `export * from './${name.replace(/\.proto$/, '.pb')}';`)
  .sort();
const index = `// Generated from proto/ by protoc-gen-rpc-policies.
${exported.join('\n')}
export { RPC_POLICIES } from './rpc-policies';
export type { RpcPolicy } from './rpc-policies';
`;

process.stdout.write(
  toBinary(
    CodeGeneratorResponseSchema,
    create(CodeGeneratorResponseSchema, {
      supportedFeatures: BigInt(CodeGeneratorResponse_Feature.PROTO3_OPTIONAL),
      file: [
        { name: 'rpc-policies.ts', content },
        { name: 'index.ts', content: index },
      ],
    }),
  ),
);
