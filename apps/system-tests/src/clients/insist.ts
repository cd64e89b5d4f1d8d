import { setTimeout as pause } from 'node:timers/promises';
import type { ApiResponse } from './response';

/** Repeats a create under its reference, or a read, until its response is conclusive, as spec §1.10 says to partners. */
export async function insistOn<T>(call: () => Promise<ApiResponse<T>>): Promise<T> {
  const until = performance.now() + 60_000;
  for (;;) {
    const response = await call().catch((error: unknown): ApiResponse<T> | undefined => {
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
