import type { Answer } from '../clients/answer';
import type { VendorOrder } from '../clients/resources';
import type { Send } from './plan';

/** One send as its client lived it: written down before the call, and again after its answer. */
export interface LogEntry {
  readonly send: Send;
  readonly sentAt: number;
  answeredAt: number;
  /** Undefined while, or when, there was no answer at all. */
  answer: Answer<VendorOrder> | undefined;
}

/** What the clients know: all that the model is allowed to conclude from. */
export class SendLog {
  readonly entries: LogEntry[] = [];

  /** Notes the intent, makes the call, notes the answer; a broken connection is no answer. */
  async record(send: Send, call: () => Promise<Answer<VendorOrder>>): Promise<LogEntry> {
    const entry: LogEntry = {
      send,
      sentAt: performance.now(),
      answeredAt: Number.POSITIVE_INFINITY,
      answer: undefined,
    };
    this.entries.push(entry);
    entry.answer = await call().catch(() => undefined);
    entry.answeredAt = performance.now();
    return entry;
  }

  of(referenceId: string): LogEntry[] {
    return this.entries.filter(({ send }) => send.reference.id === referenceId);
  }
}
