import { validationFailed } from '@reseller/errors';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Throws VALIDATION_FAILED with one fault for each of the fields that is present and no UUID. */
export function requireUuids(fields: Record<string, string | undefined>): void {
  const faults = Object.entries(fields)
    .filter(([, value]) => value !== undefined && !UUID.test(value))
    .map(([path]) => ({ path, message: 'must be a UUID' }));
  if (faults.length > 0) throw validationFailed(faults);
}
