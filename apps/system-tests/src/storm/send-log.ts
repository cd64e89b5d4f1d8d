import type { ApiResponse } from '../clients/response';
import type { VendorOrder } from '../clients/resources';
import type { Send } from './plan';

/** One send as its client lived it: written down before the call, and again after its response. */
export interface LogEntry {
  readonly send: Send;
  readonly sentAt: number;
  respondedAt: number;
  /** Undefined while, or when, there was no response at all. */
  response: ApiResponse<VendorOrder> | undefined;
}

/** What the clients know: all that the model is allowed to conclude from. */
export class SendLog {
  readonly entries: LogEntry[] = [];

  /** Notes the intent, makes the call, notes the response; a broken connection is no response. */
  async record(send: Send, call: () => Promise<ApiResponse<VendorOrder>>): Promise<LogEntry> {
    const entry: LogEntry = {
      send,
      sentAt: performance.now(),
      respondedAt: Number.POSITIVE_INFINITY,
      response: undefined,
    };
    this.entries.push(entry);
    entry.response = await call().catch(() => undefined);
    entry.respondedAt = performance.now();
    return entry;
  }

  of(referenceId: string): LogEntry[] {
    return this.entries.filter(({ send }) => send.reference.id === referenceId);
  }
}
