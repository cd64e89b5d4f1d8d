import { Environment } from '@reseller/contracts';
import { AppError } from '@reseller/errors';
import { requirePartner, type CallContext } from './call-context';

/** The environment as stored, and as the token's claim `env` shows it. */
export type EnvironmentName = 'sandbox' | 'live';

/** Whose data a partner's call may touch (spec §2.1). */
export interface PartnerScope {
  readonly partnerId: string;
  readonly partnerGlobalId: string;
  readonly environment: EnvironmentName;
}

/** The scope of a partner's call; INTERNAL_ERROR when the metadata lacks it. */
export function partnerScopeOf(call: CallContext): PartnerScope {
  const { partnerId, partnerGlobalId, environment } = requirePartner(call);
  const name = environmentNameOf(environment);
  if (!name) throw new AppError('INTERNAL_ERROR', {}, { cause: new Error('the scope names no environment') });
  return { partnerId, partnerGlobalId, environment: name };
}

/** The same of a call that is for rehearsing; FORBIDDEN_SANDBOX_ONLY in live (spec §15.1). */
export function sandboxScopeOf(call: CallContext): PartnerScope {
  const scope = partnerScopeOf(call);
  if (scope.environment !== 'sandbox') throw new AppError('FORBIDDEN_SANDBOX_ONLY');
  return scope;
}

/** The stored name of an environment; undefined when it is unspecified or unknown. */
export function environmentNameOf(environment: Environment): EnvironmentName | undefined {
  if (environment === Environment.SANDBOX) return 'sandbox';
  return environment === Environment.LIVE ? 'live' : undefined;
}

/** The contract's value for a stored environment. */
export function environmentOf(name: EnvironmentName): Environment {
  return name === 'live' ? Environment.LIVE : Environment.SANDBOX;
}
