import { Environment } from '@reseller/contracts';
import { AppError } from '@reseller/errors';
import { requirePartner, type CallContext } from '@reseller/rpc';
import type { OrderEnvironment } from './domain/order';

/** Whose orders a call may see (spec §2.1). */
export interface OrderScope {
  readonly partnerId: string;
  readonly partnerGlobalId: string;
  readonly environment: OrderEnvironment;
}

/** The scope of a partner's call; INTERNAL_ERROR when the metadata lacks it. */
export function scopeOf(call: CallContext): OrderScope {
  const { partnerId, partnerGlobalId, environment } = requirePartner(call);
  const known = fromEnvironment(environment);
  if (!known)
    throw new AppError('INTERNAL_ERROR', {}, { cause: new Error('the scope names no environment') });
  return { partnerId, partnerGlobalId, environment: known };
}

/** The environment's name in this service; undefined when unspecified. */
export function fromEnvironment(environment: Environment): OrderEnvironment | undefined {
  if (environment === Environment.SANDBOX) return 'sandbox';
  return environment === Environment.LIVE ? 'live' : undefined;
}

/** The environment's name on the wire. */
export function toEnvironment(environment: OrderEnvironment): Environment {
  return environment === 'live' ? Environment.LIVE : Environment.SANDBOX;
}
