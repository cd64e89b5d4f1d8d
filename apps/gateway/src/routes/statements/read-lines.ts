import type { CallContext } from '@reseller/rpc';
import { READ_DEADLINE_MS } from '@reseller/http-edge';

/**
 * The call of a document's piece: the first is within the request's deadline, each further one has its own. A document's lines are
 * the same wherever they are (spec §9), so a replica may serve them.
 */
export const callOfPiece = (call: CallContext, piece: number): CallContext => ({
  ...call,
  acceptsStale: true,
  ...(piece > 0 && { deadlineAt: Date.now() + READ_DEADLINE_MS }),
});
