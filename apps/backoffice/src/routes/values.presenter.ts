import type { Environment } from '@reseller/contracts';
import type { ErrorDetails } from '@reseller/errors';
import { present } from '@reseller/presenters';
import { environmentNameOf, type EnvironmentName } from '@reseller/rpc';

/** sandbox or live. */
export const presentEnvironment = (environment: Environment): EnvironmentName =>
  present(environmentNameOf(environment), 'environment');

/** The free details of an entry; null where a service sent none. */
export function presentDetails(json: string): ErrorDetails | null {
  return json === '' ? null : (JSON.parse(json) as ErrorDetails);
}
