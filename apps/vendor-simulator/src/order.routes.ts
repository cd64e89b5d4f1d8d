import { SimulatedDrop, SimulatedKeyReuse, SimulatedOutage } from '@reseller/vendor-simulation';
import type { JournalEntry, VendorResponse, VendorSimulation } from '@reseller/vendor-simulation';
import type { RequestHandler, Response } from 'express';
import { VendorHttpError } from './http-errors';
import { journalQuery, keySchema, orderBody, read } from './order.requests';

/** What the routes of orders work with. */
interface OrderRoutes {
  readonly simulation: VendorSimulation;
  readonly onPending: (idempotencyKey: string) => void;
}

/** POST /v1/orders: places an order; idempotent by its key. */
export function submitOrder({ simulation, onPending }: OrderRoutes): RequestHandler {
  return async (request, response) => {
    const { 'Idempotency-Key': idempotencyKey, body } = read(
      { 'Idempotency-Key': keySchema, body: orderBody },
      { 'Idempotency-Key': request.headers['idempotency-key'], body: (request.body as unknown) ?? {} },
    );
    try {
      const reply = await simulation.submit({ idempotencyKey, ...body }, { signal: untilClosed(response) });
      sendResponse(response, idempotencyKey, reply);
      if (reply.kind === 'pending') onPending(idempotencyKey);
    } catch (error) {
      if (error instanceof SimulatedDrop) request.socket.destroy();
      else if (error instanceof SimulatedOutage) {
        throw new VendorHttpError(503, 'UNAVAILABLE', error.message, { taken: false });
      } else if (error instanceof SimulatedKeyReuse) {
        throw new VendorHttpError(409, 'IDEMPOTENCY_KEY_REUSED', error.message);
      } else if (!response.destroyed) throw error;
    }
  };
}

/** GET /v1/orders/{key}: what became of a key; counts as a poll while the order is pending. */
export function getOrder({ simulation, onPending }: OrderRoutes): RequestHandler {
  return async (request, response) => {
    const { idempotencyKey } = read(
      { idempotencyKey: keySchema },
      { idempotencyKey: request.params.idempotencyKey },
    );
    const reply = await simulation.inquire(idempotencyKey);
    if (reply.kind === 'not-found') {
      throw new VendorHttpError(404, 'ORDER_NOT_FOUND', 'No order was ever taken under this key.');
    }
    sendResponse(response, idempotencyKey, reply);
    if (reply.kind === 'pending') onPending(idempotencyKey);
  };
}

/** GET /v1/journal: every key on record, oldest first, page by page. */
export function listJournal(simulation: VendorSimulation): RequestHandler {
  return async (request, response) => {
    const { afterSeq, limit } = read(journalQuery, request.query);
    const entries = await simulation.listJournal({ afterSeq, limit });
    const last = entries.length === limit ? entries.at(-1) : undefined;
    response.json({ entries: entries.map(toJson), nextAfterSeq: last?.seq ?? null });
  };
}

function sendResponse(response: Response, idempotencyKey: string, reply: VendorResponse): void {
  const { kind: status, vendorOrderId, reason = null, ...delivery } = reply;
  response.json({ idempotencyKey, status, vendorOrderId, reason, activation: null, ...delivery });
}

function toJson(entry: JournalEntry): object {
  return {
    ...entry,
    receivedAt: entry.receivedAt.toISOString(),
    deliveredAt: entry.deliveredAt?.toISOString() ?? null,
  };
}

function untilClosed(response: Response): AbortSignal {
  const abort = new AbortController();
  response.once('close', () => abort.abort());
  return abort.signal;
}
