import { setTimeout as pause } from 'node:timers/promises';
import { newTopup } from '../clients/bodies';
import { Connections } from './connections';

/** Somebody who sends requests: what, with which token, and how many a second. */
export interface Sender {
  readonly name: string;
  readonly token: string;
  readonly sends: 'topup' | 'balance';
  /** Seconds from the start of the load to its first request; at once when absent. */
  readonly from?: number;
  readonly seconds: number;
  /** By a fixed schedule, whatever is answered. */
  readonly perSecond?: number;
  /** Instead: so many at once, each sending its next request when it has its response. */
  readonly atOnce?: number;
}

/** What is sent in one go; every reference begins with `prefix`. */
export interface LoadPlan {
  readonly gatewayUrl: string;
  readonly prefix: string;
  readonly senders: readonly Sender[];
}

/** `done`: the order is Completed, or the balance is there. `refused`: 503 or 429 with Retry-After. Anything else is a fault. */
export type Outcome = 'done' | 'refused' | 'fault';

/** One request; times in milliseconds, `at` from when its sender began. */
export interface Sample {
  readonly sender: string;
  readonly reference: string;
  /** When it was to be sent by the schedule. */
  readonly at: number;
  /** From `at` to the response. */
  readonly ms: number;
  readonly outcome: Outcome;
  /** What a fault was. */
  readonly what?: string;
}

const TICK_MS = 4;

/** Sends what a plan says and resolves with every request's sample, once all are answered. */
export async function runLoad(plan: LoadPlan): Promise<Sample[]> {
  const connections = new Connections(plan.gatewayUrl);
  const samples: Sample[] = [];
  let sent = 0;
  const runSender = async (sender: Sender): Promise<void> => {
    if (sender.from !== undefined) await pause(sender.from * 1_000);
    const startedAt = performance.now();
    const now = (): number => performance.now() - startedAt;
    const bytesOf = requestsOf(sender);
    const sendAt = async (at: number): Promise<void> => {
      const reference = `${plan.prefix}-${(sent += 1)}`;
      const { outcome, what } = await request(connections, bytesOf(reference));
      samples.push({ sender: sender.name, reference, at, ms: now() - at, outcome, ...(what && { what }) });
    };
    await (sender.perSecond === undefined
      ? closedLoop(sender, now, sendAt)
      : openLoop(sender.perSecond, sender.seconds * 1_000, now, sendAt));
  };
  await Promise.all(plan.senders.map(runSender));
  connections.close();
  return samples;
}

async function closedLoop(
  { atOnce = 1, seconds }: Sender,
  now: () => number,
  sendAt: (at: number) => Promise<void>,
): Promise<void> {
  const work = async (): Promise<void> => {
    while (now() < seconds * 1_000) await sendAt(now());
  };
  await Promise.all(Array.from({ length: atOnce }, work));
}

/** The schedule is fixed: whoever is late counts from when the request was to be sent. */
function openLoop(
  perSecond: number,
  durationMs: number,
  now: () => number,
  sendAt: (at: number) => Promise<void>,
): Promise<void> {
  const underWay: Promise<void>[] = [];
  const total = Math.floor((perSecond * durationMs) / 1_000);
  return new Promise((resolve, reject) => {
    const timer = setInterval(() => {
      const due = Math.min(total, Math.floor((now() * perSecond) / 1_000));
      while (underWay.length < due) underWay.push(sendAt((underWay.length * 1_000) / perSecond));
      if (underWay.length < total) return;
      clearInterval(timer);
      Promise.all(underWay).then(() => resolve(), reject);
    }, TICK_MS);
  });
}

/** What stands where a reference will be. */
const REFERENCE = 'REFERENCE';

/** Makes a sender's requests of one text, in which only the reference changes. */
function requestsOf({ sends, token }: Sender): (reference: string) => string {
  const head = `Host: gateway\r\nAuthorization: Bearer ${token}\r\n`;
  if (sends === 'balance') return () => `GET /api/v1/wallet/balance HTTP/1.1\r\n${head}\r\n`;
  const [before = '', after = ''] = JSON.stringify(
    newTopup({ externalReference: REFERENCE, amount: 5 }),
  ).split(REFERENCE);
  const start = `POST /api/v1/orders/topup HTTP/1.1\r\n${head}Content-Type: application/json\r\nContent-Length: `;
  return (reference) =>
    `${start}${before.length + reference.length + after.length}\r\n\r\n${before}${reference}${after}`;
}

const RETRY_AFTER = /\r\nretry-after: [1-9]/i;

async function request(
  connections: Connections,
  bytes: string,
): Promise<{ outcome: Outcome; what?: string }> {
  try {
    const { status, text } = await connections.send(bytes);
    if (status === 200 && (text.includes('"status":"Completed"') || text.includes('"currentBalance":')))
      return { outcome: 'done' };
    if ((status === 503 || status === 429) && RETRY_AFTER.test(text)) return { outcome: 'refused' };
    return { outcome: 'fault', what: text.slice(0, 12) + text.slice(text.indexOf('{')).slice(0, 120) };
  } catch (error) {
    return { outcome: 'fault', what: error instanceof Error ? error.message : String(error) };
  }
}
