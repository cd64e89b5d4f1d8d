import { isAppError } from '@reseller/errors';
import type { RpcService } from '@reseller/rpc';
import { methodOf } from './reader';
import { ALWAYS_POSSIBLE, RPCS, rpcComment } from './schema/promised-errors';
import { formsByField, readGolden, strangeForms } from './golden';

/**
 * A consumer's fake of a provider that answers only what the provider's contract shows: fields that its cases filled, in
 * the forms they had, and errors that the RPC's comment lists. Anything else is a fault of the test, and becomes INTERNAL_ERROR
 * with the reason on the standard error stream.
 */
export function heldToContract(service: RpcService, provider: string): RpcService {
  const golden = formsByField(readGolden(provider));
  const name = service.name.split('.').pop() ?? '';
  const handlers = Object.entries(service.handlers).map(([key, handler]) => {
    const definition = service.definition[key];
    const rpc = [...RPCS.keys()].find((one) => one.toLowerCase() === `${name}.${key}`.toLowerCase());
    if (!definition || !rpc) throw new Error(`no .proto file declares ${name}.${key}`);
    const held: typeof handler = async (request, call) => {
      const answer = await handler(request, call).catch((error: unknown) => refuseStrangeCode(rpc, error));
      const bytes = definition.responseSerialize(answer as never);
      const strange = strangeForms(golden, rpc, methodOf(rpc).response.decode(bytes));
      if (strange.length > 0) throw notOfContract(strange.join('; '));
      return answer;
    };
    return [key, held] as const;
  });
  return { ...service, handlers: Object.fromEntries(handlers) };
}

function refuseStrangeCode(rpc: string, error: unknown): never {
  const method = RPCS.get(rpc);
  if (!isAppError(error) || !method) throw error;
  const codes: readonly string[] = [...ALWAYS_POSSIBLE, ...rpcComment(method).errors.map(({ code }) => code)];
  if (!codes.includes(error.code)) throw notOfContract(`${rpc} never answers ${error.code}`);
  throw error;
}

function notOfContract(reason: string): Error {
  process.stderr.write(`not of the contract: ${reason}\n`);
  return new Error(`not of the contract: ${reason}`);
}
