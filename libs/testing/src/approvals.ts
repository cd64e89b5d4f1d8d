/** An operator, as her calls name her. */
export const olga = { requestId: 'r-olga', operator: 'Olga', operatorAccount: 'idp olga' };
/** A token of Olga's, which is hers. */
export const tokenOfOlga = { ...olga, requestId: 'r-token', operator: 'nightly job' };
/** An operator who may approve what Olga requests. */
export const omar = { requestId: 'r-omar', operator: 'Omar', operatorAccount: 'idp omar' };

/** The id of the approval that a call has to wait for; throws whatever else the call ends with. */
export async function approvalIdOf(call: Promise<unknown>): Promise<string> {
  const error: unknown = await call.then(
    () => new Error('it was made without an approval'),
    (failure: unknown) => failure,
  );
  const { code, details } = error as { code?: unknown; details?: { approvalId?: unknown } };
  if (code === 'CONFLICT_APPROVAL_REQUIRED') return String(details?.approvalId);
  throw error;
}
