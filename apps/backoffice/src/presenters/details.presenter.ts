import type { ErrorDetails } from '@reseller/errors';

/** The free details of an entry; null where a service sent none. */
export function presentDetails(json: string): ErrorDetails | null {
  return json === '' ? null : (JSON.parse(json) as ErrorDetails);
}
