import type { Environment } from '@reseller/contracts';
import { environmentNameOf, type EnvironmentName } from '@reseller/rpc';

/** The one environment that an operator's request names; undefined for both. */
export const namedEnvironment = (environment: Environment | undefined): EnvironmentName | undefined =>
  environment === undefined ? undefined : environmentNameOf(environment);
