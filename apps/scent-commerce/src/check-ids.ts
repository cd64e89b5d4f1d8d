import { RequestCheck } from '@reseller/rpc';

/** Throws VALIDATION_FAILED with one fault for each of the ids that is present and no UUID. */
export function checkIds(ids: Record<string, string | undefined>): void {
  const check = new RequestCheck();
  for (const [path, id] of Object.entries(ids)) if (id !== undefined) check.uuid(path, id);
  check.end();
}
