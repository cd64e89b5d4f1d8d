import type { CallContext } from '@reseller/rpc';
import { READ_DEADLINE_MS } from '@reseller/http-edge';

/** The call of a document's piece: the first is within the request's deadline, each further one has its own. */
export const callOfPiece = (call: CallContext, piece: number): CallContext =>
  piece === 0 ? call : { ...call, deadlineAt: Date.now() + READ_DEADLINE_MS };
