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
  /** By a fixed schedule, whatever the responses. */
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

/** Sends what a plan says and resolves with every request's sample, once all responses are there. */
export async function runLoad(plan: LoadPlan): Promise<Sample[]> {
  const connections = new Connections(plan.gatewayUrl);
  const samples: Sample[] = [];
  let sent = 0;
  const runSender = async (sender: Sender): Promise<void> => {
    if (sender.from !== undefined) await pause(sender.from * 1_000);
    const startedAt = performance.now();
    const now = (): number => performance.now() - startedAt;
    const bytesOf = requestsOf(sender);
    const sendAt: SendAt = (at, done) => {
      const reference = `${plan.prefix}-${(sent += 1)}`;
      connections.send(bytesOf(reference), (response) => {
        samples.push({ sender: sender.name, reference, at, ms: now() - at, ...outcomeOf(response) });
        done();
      });
    };
    await (sender.perSecond === undefined
      ? closedLoop(sender, now, sendAt)
      : openLoop(sender.perSecond, sender.seconds * 1_000, now, sendAt));
  };
  await Promise.all(plan.senders.map(runSender));
  connections.close();
  return samples;
}

/** Sends what was due at a time, and says when it is over; a promise of each would cost the platform as much as it costs us. */
type SendAt = (at: number, done: () => void) => void;

async function closedLoop({ atOnce = 1, seconds }: Sender, now: () => number, sendAt: SendAt): Promise<void> {
  const work = (): Promise<void> =>
    new Promise((resolve) => {
      const next = (): void => (now() < seconds * 1_000 ? sendAt(now(), next) : resolve());
      next();
    });
  await Promise.all(Array.from({ length: atOnce }, work));
}

/** The schedule is fixed: whoever is late counts from when the request was to be sent. */
function openLoop(perSecond: number, durationMs: number, now: () => number, sendAt: SendAt): Promise<void> {
  const total = Math.floor((perSecond * durationMs) / 1_000);
  let sent = 0;
  let over = 0;
  return new Promise((resolve) => {
    const done = (): void => void ((over += 1) === total && resolve());
    const timer = setInterval(() => {
      const due = Math.min(total, Math.floor((now() * perSecond) / 1_000));
      for (; sent < due; sent += 1) sendAt((sent * 1_000) / perSecond, done);
      if (sent < total) return;
      clearInterval(timer);
      if (total === 0) resolve();
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

const STATUS_AT = 'HTTP/1.1 '.length;
const RETRY_AFTER = /\r\nRetry-After: [1-9]/;

function outcomeOf(response: string | Error): { outcome: Outcome; what?: string } {
  if (response instanceof Error) return { outcome: 'fault', what: response.message };
  const status = response.slice(STATUS_AT, STATUS_AT + 3);
  if (
    status === '200' &&
    (response.includes('"status":"Completed"') || response.includes('"currentBalance":'))
  )
    return { outcome: 'done' };
  if ((status === '503' || status === '429') && RETRY_AFTER.test(response)) return { outcome: 'refused' };
  return { outcome: 'fault', what: `${status} ${response.slice(response.indexOf('{')).slice(0, 120)}` };
}
