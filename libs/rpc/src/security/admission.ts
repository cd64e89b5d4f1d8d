import { Metadata, status, type StatusObject } from '@grpc/grpc-js';
import type { CallContext } from '../call-context';
import { policyOf, splitPath, type RpcMethod } from '../definition';
import type { ServedCall } from '../served-call';
import type { CallerGuard } from './caller-guard';

/** The edges alone know whom a call is for: they checked a token, or an operator's. */
const MAY_NAME_A_PARTNER: ReadonlySet<string> = new Set(['gateway', 'backoffice']);
const MAY_NAME_AN_OPERATOR: ReadonlySet<string> = new Set(['backoffice']);

/** Decides which callers one method lets in, and what it believes of what they say. */
export interface Admission {
  /** Why a caller is not let in, in words for the log of both sides; undefined when it is. */
  refuse(call: ServedCall): StatusObject | undefined;
  /** The context without what this caller has no right to say; it is as if it had not been said. */
  believe(call: ServedCall, context: CallContext): CallContext;
}

/** The admission of a method under mutual TLS, by the contract's callers and those that a setting adds (docs/adr/0002). */
export function admissionOf(method: RpcMethod, guard: CallerGuard): Admission {
  const { service } = splitPath(method.path);
  const added = [guard.extraCallers.get(service), guard.extraCallers.get('*')].flatMap((apps) => apps ?? []);
  const callers = new Set([...policyOf(method).callers, ...added]);
  const mayNameAPartner = new Set([...MAY_NAME_A_PARTNER, ...added]);
  const isOneOf = (apps: ReadonlySet<string>, call: ServedCall): boolean =>
    guard.appsOf(call)?.some((app) => apps.has(app)) ?? false;
  return {
    refuse(call) {
      const apps = guard.appsOf(call);
      if (!apps) return refusal(status.UNAUTHENTICATED, `${method.path} ${NO_CERTIFICATE}`);
      if (isOneOf(callers, call)) return undefined;
      const who = apps.length > 0 ? apps.join(', ') : 'no app of this installation';
      const allowed = [...callers].join(', ') || 'nobody';
      return refusal(
        status.PERMISSION_DENIED,
        `${method.path} is for ${allowed}; the client's certificate names ${who}`,
      );
    },
    believe(call, context) {
      return {
        ...context,
        ...(!isOneOf(MAY_NAME_AN_OPERATOR, call) && { operator: undefined, operatorAccount: undefined }),
        ...(!isOneOf(mayNameAPartner, call) && { partner: undefined }),
      };
    },
  };
}

const NO_CERTIFICATE =
  "needs a client certificate of this installation's authority: none was presented, it has expired, or another authority issued it";

const refusal = (code: status, details: string): StatusObject => ({
  code,
  details,
  metadata: new Metadata(),
});
