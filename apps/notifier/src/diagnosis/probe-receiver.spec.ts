import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { AttemptResult } from '../delivery/domain/attempt';
import type { WebhookRequest } from '../delivery/webhook-sender';
import { probeReceiver } from './probe-receiver';

const TARGET = { url: 'https://hooks.example.com/', secret: 'whsec_own', partnerId: 'p' };

interface Sent extends WebhookRequest {
  readonly atMs: number;
}

/** A receiver that takes so long for each, and what it got. */
function receiverOf(...durations: number[]) {
  const sent: Sent[] = [];
  const send = async (request: WebhookRequest): Promise<AttemptResult> => {
    const durationMs = durations[sent.length] ?? 0;
    sent.push({ ...request, atMs: Date.now() - START });
    await new Promise((resolve) => setTimeout(resolve, durationMs));
    return { responseStatus: 200, durationMs, errorSummary: null };
  };
  return { sent, send };
}

const START = Date.parse('2026-01-15T09:30:00Z');
const bodyOf = ({ body }: WebhookRequest) =>
  JSON.parse(Buffer.from(body).toString()) as Record<'eventId' | 'eventType' | 'data', unknown>;

describe('the requests of a diagnosis (spec §17.3)', () => {
  beforeEach(() => void jest.useFakeTimers({ now: START }));
  afterEach(() => void jest.useRealTimers());

  it('when they are made, then each is what its check is about, and all are tests', async () => {
    const { sent, send } = receiverOf();
    const probing = probeReceiver(send, TARGET);
    await jest.advanceTimersByTimeAsync(1_000);
    await probing;
    expect(sent.every(({ isTest, url }) => isTest && url === TARGET.url)).toBe(true);
    const [signed, forged, stale, unknown, repeated] = sent;
    expect([signed?.secret, stale?.secret, unknown?.secret]).toEqual(Array(3).fill('whsec_own'));
    expect(forged?.secret).toMatch(/^whsec_[\w-]{43}$/);
    expect(START + (stale?.atMs ?? 0) - (stale?.signedAt?.getTime() ?? 0)).toBe(600_000);
    expect([signed, forged, unknown].map((one) => one?.signedAt)).toEqual([undefined, undefined, undefined]);
    expect(unknown?.eventType).toBe('diagnosis.unknown-type');
    expect(repeated).toMatchObject({ eventId: signed?.eventId, body: signed?.body });
    expect(new Set(sent.map(({ eventId }) => eventId)).size).toBe(4);
    for (const one of sent)
      expect(bodyOf(one)).toMatchObject({ eventId: one.eventId, eventType: one.eventType });
  });

  it('when each takes its ten seconds, then no check waits for another but the repetition, and all takes twenty', async () => {
    const { sent, send } = receiverOf(10_000, 10_000, 10_000, 10_000, 10_000);
    const probing = probeReceiver(send, TARGET);
    await jest.advanceTimersByTimeAsync(20_000);
    await probing;
    expect(sent.map(({ atMs }) => atMs)).toEqual([0, 2_000, 4_000, 6_000, 10_000]);
  });

  it('when the receiver is quick, then only one is under way at a time', async () => {
    const { sent, send } = receiverOf(100, 200, 300, 400, 500);
    const probing = probeReceiver(send, TARGET);
    await jest.advanceTimersByTimeAsync(1_500);
    await probing;
    expect(sent.map(({ atMs }) => atMs)).toEqual([0, 100, 300, 600, 1_000]);
  });
});
