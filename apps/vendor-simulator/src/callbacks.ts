import { createHmac } from 'node:crypto';
import type { Logger } from '@reseller/service-kit';

/** Where callbacks go, and how soon after a pending response. */
interface CallbackSettings {
  readonly url: string;
  readonly secret: string;
  readonly afterMs: number;
}

/** Calls back about pending orders; `stop` forgets what was still to come. */
export interface Callbacks {
  /** An order was returned as pending: soon it is worth asking for. */
  pending(idempotencyKey: string): void;
  stop(): void;
}

const TIMEOUT_MS = 5_000;

/** Signed callbacks of docs/vendors/http-contract.md: hints that may be lost, so they are sent once. */
export function createCallbacks({ url, secret, afterMs }: CallbackSettings, log: Logger): Callbacks {
  const timers = new Set<NodeJS.Timeout>();
  const send = async (idempotencyKey: string): Promise<void> => {
    const body = JSON.stringify({ idempotencyKey });
    const time = Math.floor(Date.now() / 1_000);
    const digest = createHmac('sha256', secret).update(`${time}.${body}`).digest('hex');
    const headers = {
      'content-type': 'application/json',
      'vendor-signature': `t=${time},v1=${digest}`,
    };
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const { status, body: rest } = await fetch(url, { method: 'POST', headers, body, signal });
    await rest?.cancel();
    if (status !== 202) log.warn({ idempotencyKey, status }, 'callback refused');
  };
  return {
    pending(idempotencyKey) {
      const timer = setTimeout(() => {
        timers.delete(timer);
        send(idempotencyKey).catch((err: unknown) => log.warn({ err, idempotencyKey }, 'callback lost'));
      }, afterMs);
      timers.add(timer);
    },
    stop() {
      for (const timer of timers) clearTimeout(timer);
      timers.clear();
    },
  };
}
