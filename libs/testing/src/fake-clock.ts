/** Where the time comes from; production passes the machine's. */
export interface Clock {
  now(): Date;
}

/** A clock that stands still until the test moves it; each `now()` is a Date of its own. */
export class FakeClock implements Clock {
  private current: number;

  constructor(start: Date | string = '2026-01-01T00:00:00.000Z') {
    this.current = new Date(start).getTime();
  }

  now(): Date {
    return new Date(this.current);
  }

  /** Moves on by milliseconds; negative moves back, as a corrected clock does. */
  advance(ms: number): void {
    this.current += ms;
  }

  /** Jumps to a moment. */
  set(to: Date | string): void {
    this.current = new Date(to).getTime();
  }
}
