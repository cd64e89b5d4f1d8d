import { Environment } from '@reseller/contracts';

/** The environment as stored, and as the token's claim `env` shows it. */
export type EnvironmentName = 'sandbox' | 'live';

/** The stored name of an environment; undefined for one that is not set or not known. */
export function toEnvironmentName(environment: Environment): EnvironmentName | undefined {
  if (environment === Environment.SANDBOX) return 'sandbox';
  return environment === Environment.LIVE ? 'live' : undefined;
}

/** The contract's value for a stored environment. */
export function toEnvironment(name: EnvironmentName): Environment {
  return name === 'live' ? Environment.LIVE : Environment.SANDBOX;
}
