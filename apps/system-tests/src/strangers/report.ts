import { say } from '../bench/measure';

const LISTED_DETAILS = 15;

/** The lines of a run, said as they come, and how many of each there are. */
export class Report {
  private passed = 0;
  private failed = 0;
  private skipped = 0;

  /** A line that is passed when nothing is wrong, with what is under it. */
  check(what: string, faults: readonly string[]): boolean {
    const isPassed = faults.length === 0;
    if (isPassed) this.passed += 1;
    else this.failed += 1;
    say(`${isPassed ? 'passed ' : 'failed '} ${what}`);
    for (const fault of faults.slice(0, LISTED_DETAILS)) say(`         ${fault}`);
    if (faults.length > LISTED_DETAILS) say(`         … and ${faults.length - LISTED_DETAILS} more`);
    return isPassed;
  }

  /** A line of what this machine cannot do. */
  skip(what: string, why: string): void {
    this.skipped += 1;
    say(`skipped ${what}: ${why}`);
  }

  /** Says the last line; returns whether nothing failed. */
  end(): boolean {
    const { passed, failed, skipped } = this;
    say(`\n${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
    return failed === 0;
  }
}
