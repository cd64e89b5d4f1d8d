import type { sendUnaryData, StatusObject } from '@grpc/grpc-js';
import { AppError } from '@reseller/errors';
import { cutOffStatus, toStatus } from './error-trailer';
import { queuedTrailer, withQueued } from './load/queued-trailer';
import type { ServedCall } from './served-call';

/** What bounds the calls of one server. */
export interface CallLimits {
  /** Holds a function for each call under way that cuts it off. */
  readonly underWay: Set<() => void>;
  /** How long a call may take that comes without a deadline. */
  readonly unstatedDeadlineMs: number;
}

/** A call that is being served; it ends once, with a response, an error, or when it is cut off or past its time. */
export class CallUnderWay {
  // A caller without a deadline, such as a client of another team, must not keep work going for ever.
  private readonly bound: NodeJS.Timeout | undefined;

  constructor(
    private readonly grpcCall: ServedCall,
    private readonly callback: sendUnaryData<unknown>,
    private readonly controller: AbortController,
    private readonly limits: CallLimits,
    private readonly onEnd: (code: string) => void,
  ) {
    if (deadlineOf(grpcCall) === undefined)
      this.bound = setTimeout(() => this.giveUp(), limits.unstatedDeadlineMs);
    limits.underWay.add(this.cutOff);
    // grpc-js emits it when the caller cancels, when the deadline passes, and also after each response, which is no abort.
    grpcCall.once('cancelled', this.abort);
  }

  succeed(response: unknown): void {
    if (this.end('OK')) this.callback(null, response, queuedTrailer());
  }

  fail(error: AppError, status = toStatus(error)): void {
    if (this.end(error.code)) this.callback(withQueued(status));
  }

  private readonly cutOff = (): void => this.giveUp(cutOffStatus());

  private readonly abort = (): void => this.controller.abort();

  private giveUp(status?: StatusObject): void {
    this.fail(new AppError('SERVICE_UNAVAILABLE'), status);
    this.abort();
  }

  /** Whether it had not ended before. */
  private end(code: string): boolean {
    if (!this.limits.underWay.delete(this.cutOff)) return false;
    clearTimeout(this.bound);
    this.grpcCall.off('cancelled', this.abort);
    this.onEnd(code);
    return true;
  }
}

/** The caller's deadline; undefined when it set none. */
export function deadlineOf(grpcCall: ServedCall): number | undefined {
  const deadline = grpcCall.getDeadline();
  const deadlineAt = deadline instanceof Date ? deadline.getTime() : deadline;
  return Number.isFinite(deadlineAt) ? deadlineAt : undefined;
}
