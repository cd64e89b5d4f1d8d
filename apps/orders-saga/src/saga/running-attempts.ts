/** The attempts that this process is driving, so that a duplicate request can wait for the end of one. */
export class RunningAttempts {
  private readonly ends = new Map<string, Promise<void>>();

  /** Remembers an attempt until it has ended, well or not; returns the attempt itself. */
  track<T>(orderId: string, attempt: Promise<T>): Promise<T> {
    const end = attempt.then(
      () => undefined,
      () => undefined,
    );
    const forgotten = end.then(() => {
      if (this.ends.get(orderId) === forgotten) this.ends.delete(orderId);
    });
    this.ends.set(orderId, forgotten);
    return attempt;
  }

  /** Whether this process drives the order now. */
  has(orderId: string): boolean {
    return this.ends.has(orderId);
  }

  /** Resolves when the attempt on this order ends, at the latest after `ms`; an unknown one just takes the time. */
  async waitForEnd(orderId: string, ms: number): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, ms);
    });
    await Promise.race([this.ends.get(orderId) ?? timeout, timeout]);
    clearTimeout(timer);
  }

  /** Resolves when nothing runs any more. */
  async drain(): Promise<void> {
    while (this.ends.size > 0) await Promise.all(this.ends.values());
  }
}
