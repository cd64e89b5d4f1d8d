import { describe, it } from '@jest/globals';

/** A suite that needs what not every machine has: where it is `missing`, skipped for that reason, which is a failure in CI. */
export function describeWith(missing: string | undefined, title: string, body: () => void): void {
  if (!missing) return describe(title, body);
  if (process.env['CI'] !== 'true') return describe.skip(`${title} (skipped: ${missing})`, body);
  it(`when tests run in CI, then ${title} can be tested`, () => {
    throw new Error(missing);
  });
}
