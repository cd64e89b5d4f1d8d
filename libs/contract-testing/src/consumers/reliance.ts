import type { DescField, DescMessage, DescMethod } from '@bufbuild/protobuf';
import { CONTRACTS } from '../contracts';
import { RPCS, rpcComment } from '../schema/promised-errors';
import { readUsages, type Usage } from './usage';

/** What one consumer does with one RPC of a provider, in the names of the .proto files. */
export interface Reliance {
  readonly rpc: string;
  readonly method: DescMethod;
  readonly sends: readonly string[];
  /** Paths of the response, such as `wallet.id` or `lines[].amount`. */
  readonly reads: readonly string[];
}

/** One consumer of one provider. */
export interface Pair {
  readonly consumer: string;
  readonly provider: string;
  readonly reliances: readonly Reliance[];
  /** Codes of those RPCs that the consumer distinguishes; every other it passes on or logs. */
  readonly codes: readonly string[];
}

/** Who serves a gRPC service, by its contract. */
export function providersOf(service: string): string[] {
  return Object.values(CONTRACTS)
    .filter(({ services }) => services.some((one) => one.service === service))
    .map(({ app }) => app);
}

/** The codes that an RPC's comment names. */
function promisedCodes(rpc: string): readonly string[] {
  const method = RPCS.get(rpc);
  return method ? rpcComment(method).errors.map(({ code }) => code) : [];
}

/** Who calls whom, and what they rely on: read from the consumers' sources, so nobody has to keep it. */
export function readPairs(): Pair[] {
  const pairs: Pair[] = [];
  for (const [consumer, usage] of readUsages()) {
    for (const provider of Object.keys(CONTRACTS)) {
      const rpcs = [...usage.calls.keys()]
        .filter((rpc) => providersOf(rpc.split('.')[0] ?? '').includes(provider))
        .sort();
      if (rpcs.length === 0) continue;
      const promised = new Set(rpcs.flatMap((rpc) => [...promisedCodes(rpc), 'SERVICE_UNAVAILABLE']));
      pairs.push({
        consumer,
        provider,
        reliances: rpcs.map((rpc) => relianceOf(rpc, usage)),
        codes: [...usage.codes].filter((code) => promised.has(code)).sort(),
      });
    }
  }
  return pairs;
}

function relianceOf(rpc: string, usage: Usage): Reliance {
  const method = RPCS.get(rpc);
  if (!method) throw new Error(`no .proto file declares ${rpc}`);
  const sent = usage.calls.get(rpc) ?? new Set();
  return {
    rpc,
    method,
    sends: method.input.fields.filter(({ localName }) => sent.has(localName)).map(({ name }) => name),
    reads: [...readPaths(method.output, usage, '')],
  };
}

function* readPaths(message: DescMessage, usage: Usage, prefix: string): Generator<string> {
  for (const field of message.fields) {
    if (!isRead(message, field, usage)) continue;
    const at = `${prefix}${field.name}${field.fieldKind === 'list' ? '[]' : ''}`;
    const isOurs = field.message?.typeName.startsWith('reseller.');
    yield at;
    if (field.message && isOurs) yield* readPaths(field.message, usage, `${at}.`);
  }
}

function isRead(message: DescMessage, field: DescField, { reads }: Usage): boolean {
  const read = reads.get(message.name);
  return (
    (read?.has(field.localName) ?? false) ||
    (field.oneof !== undefined && (read?.has(field.oneof.localName) ?? false))
  );
}

/** The field of a response at a path, and so the message that it is one of. */
export function fieldAt(message: DescMessage, path: string): DescField | undefined {
  const [first = '', ...rest] = path.replaceAll('[]', '').split('.');
  const field = message.fields.find(({ name }) => name === first);
  return rest.length === 0 || !field?.message ? field : fieldAt(field.message, rest.join('.'));
}
