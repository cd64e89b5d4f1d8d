import { isErrorCode, type ErrorCode } from '@reseller/errors';
import { commentOf, SERVICES } from './schema';
import type { DescMethod, DescService } from '@bufbuild/protobuf';

/** A code that an RPC's comment names, and when it comes, where the comment says so. */
export interface PromisedError {
  readonly code: ErrorCode;
  readonly when: string | undefined;
}

/** What any RPC may fail with, whatever its comment says; the gateway and the page of protos say so once. */
export const ALWAYS_POSSIBLE: readonly ErrorCode[] = ['SERVICE_UNAVAILABLE', 'INTERNAL_ERROR'];

const LIST = /(?:^|\n)Errors: ([\s\S]*)$/;
// A code begins an item: what is in parentheses goes on in words.
const BETWEEN_ITEMS = /, (?=[A-Z]{3,}_)/;
const ITEM = /^([A-Z][A-Z_]+)(?: \(([^()]*(?:\([^()]*\)[^()]*)*)\))?$/;

/** What a service's comment says. */
export function serviceComment(service: DescService): string {
  return commentOf(service.file, [6, service.file.services.indexOf(service)]);
}

/** An RPC's comment in two parts: the prose, and the errors of the list that ends it. Throws on any other form. */
export function rpcComment(method: DescMethod): { prose: string; errors: PromisedError[] } {
  const { parent } = method;
  const comment = commentOf(parent.file, [
    6,
    parent.file.services.indexOf(parent),
    2,
    parent.methods.indexOf(method),
  ]);
  const list = LIST.exec(comment);
  const prose = (list ? comment.slice(0, list.index) : comment).trim();
  return { prose, errors: list ? readErrors(list[1] ?? '', nameOf(method)) : [] };
}

/** `WalletService.GetBalance`. */
export function nameOf({ parent, name }: DescMethod): string {
  return `${parent.name}.${name}`;
}

/** Every RPC by `Service.Rpc`; ReconciliationService, which three apps serve, is one here. */
export const RPCS: ReadonlyMap<string, DescMethod> = new Map(
  SERVICES.flatMap(({ methods }) => methods.map((method) => [nameOf(method), method] as const)),
);

function readErrors(list: string, rpc: string): PromisedError[] {
  const text = list.replaceAll('\n', ' ').trim();
  if (!text.endsWith('.')) throw new Error(`${rpc}: the list of errors ends its comment, with a full stop`);
  return text
    .slice(0, -1)
    .split(BETWEEN_ITEMS)
    .map((item) => {
      const [, code, when] = ITEM.exec(item) ?? [];
      if (!code || !isErrorCode(code)) throw new Error(`${rpc}: "${item}" is not CODE or CODE (when)`);
      return { code, when };
    });
}
