import { setTimeout as pause } from 'node:timers/promises';
import type { Answer } from './answer';
import type { PartnerClient, TopupBody } from './partner-client';
import type { TopupOrder } from './resources';

/** Repeats a create under its reference until it is answered for good, as spec §1.10 tells partners to. */
export async function insistOn<T>(create: () => Promise<Answer<T>>): Promise<T> {
  const until = performance.now() + 60_000;
  for (;;) {
    const answer = await create().catch((error: unknown): Answer<T> | undefined => {
      // The connection broke: no answer at all.
      if (performance.now() > until) throw error;
      return undefined;
    });
    if (answer?.status === 200) return answer.payload;
    const mayRepeat =
      answer === undefined || answer.status >= 500 || answer.state === 'CONFLICT_ORDER_IN_PROGRESS';
    if (!mayRepeat) throw new Error(`refused: ${answer.text}`);
    if (performance.now() > until) throw new Error(`no end in sight: ${answer?.text}`);
    await pause(100);
  }
}

/** The same for a top-up. */
export const insist = (client: PartnerClient, body: TopupBody): Promise<TopupOrder> =>
  insistOn(() => client.topup(body));
