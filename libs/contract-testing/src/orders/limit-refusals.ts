import { expect, refusalOf, whileFailing } from '../prelude';
import type { Case, ErrorCode, Sentences } from '../prelude';

/** That a limit on spending refuses a create as finance refuses its reservation, and that the reference is free afterwards. */
export const limitRefusals = (codes: readonly ErrorCode[]): Sentences =>
  Object.fromEntries(
    codes.map((code): [string, Case] => [
      `${code}: what finance refuses so; the reference stays free`,
      async (use, given) => {
        const refusal = await refusalOf(whileFailing('finance', 'reserveFunds', code)(use, given));
        expect(await given.call()).toHaveProperty('order');
        throw refusal;
      },
    ]),
  );
