import { Environment } from '@reseller/contracts';
import { AppError } from '@reseller/errors';
import { requirePartner, type CallContext } from '@reseller/rpc';

/** The environment as stored, and as the token's claim `env` shows it. */
export type EnvironmentName = 'sandbox' | 'live';

/** Whose subscriptions a call may touch (spec §2.1). */
export interface Scope {
  readonly partnerId: string;
  readonly environment: EnvironmentName;
}

/** The scope of a partner's call; INTERNAL_ERROR when the metadata lacks it. */
export function scopeOf(call: CallContext): Scope {
  const { partnerId, environment } = requirePartner(call);
  const name = toEnvironmentName(environment);
  if (!name) throw new AppError('INTERNAL_ERROR', {}, { cause: new Error('the scope names no environment') });
  return { partnerId, environment: name };
}

/** The stored name of an environment; undefined when it is unspecified. */
export function toEnvironmentName(environment: Environment): EnvironmentName | undefined {
  if (environment === Environment.SANDBOX) return 'sandbox';
  return environment === Environment.LIVE ? 'live' : undefined;
}

/** The contract's value for a stored environment. */
export function toEnvironment(name: string): Environment {
  return name === 'live' ? Environment.LIVE : Environment.SANDBOX;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Whether a text can be the id of a row; any other names nothing. */
export const isUuid = (text: string): boolean => UUID.test(text);
