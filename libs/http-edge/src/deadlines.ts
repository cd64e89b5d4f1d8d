/** How long a caller waits for a response that changes nothing (spec §1.10). */
export const READ_DEADLINE_MS = 2_000;
/** How long a caller waits for a create or a change (spec §1.10). */
export const CHANGE_DEADLINE_MS = 12_000;

/** Whether calls of the method may be dropped half-way. */
export const isRead = (route: { readonly method: string }): boolean => route.method === 'GET';

/** The milliseconds a request on this route may take. */
export function deadlineOf(route: { readonly method: string; readonly deadlineMs?: number }): number {
  return route.deadlineMs ?? (isRead(route) ? READ_DEADLINE_MS : CHANGE_DEADLINE_MS);
}
