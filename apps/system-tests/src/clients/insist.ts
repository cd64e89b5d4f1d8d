import { setTimeout as pause } from 'node:timers/promises';
import type { ApiResponse } from './response';
import type { PartnerClient, TopupBody } from './partner-client';
import type { TopupOrder } from './resources';

/** Repeats a create under its reference until it is answered for good, as spec §1.10 tells partners to. */
export async function insistOn<T>(create: () => Promise<ApiResponse<T>>): Promise<T> {
  const until = performance.now() + 60_000;
  for (;;) {
    const response = await create().catch((error: unknown): ApiResponse<T> | undefined => {
      // The connection broke: no response at all.
      if (performance.now() > until) throw error;
      return undefined;
    });
    if (response?.status === 200) return response.payload;
    const mayRepeat =
      response === undefined || response.status >= 500 || response.state === 'CONFLICT_ORDER_IN_PROGRESS';
    if (!mayRepeat) throw new Error(`refused: ${response.text}`);
    if (performance.now() > until) throw new Error(`no end in sight: ${response?.text}`);
    await pause(100);
  }
}

/** The same for a top-up. */
export const insist = (client: PartnerClient, body: TopupBody): Promise<TopupOrder> =>
  insistOn(() => client.topup(body));
