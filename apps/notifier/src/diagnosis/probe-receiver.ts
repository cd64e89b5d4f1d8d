import type { WebhookEventTypeName } from '@reseller/presenters';
import { v7 as newId } from 'uuid';
import type { AttemptResult } from '../delivery/domain/attempt';
import type { WebhookRequest } from '../delivery/webhook-sender';
import { exampleData } from '../event/domain/public-events';
import { webhookBody } from '../event/domain/webhook-event';
import { newSecret } from '../subscription/signing-secret';
import type { Probes } from './domain/judge-receiver';

/** Whose receiver is tried, and how. */
export interface ProbeTarget {
  readonly url: string;
  readonly secret: string;
  readonly partnerId: string;
}

/** Makes one request; never rejects. */
export type Send = (request: WebhookRequest) => Promise<AttemptResult>;

const EXAMPLE: WebhookEventTypeName = 'order.completed';
/** No event will ever be called so: what it stands for is yet to come. */
const UNKNOWN_TYPE = 'diagnosis.unknown-type';
const STALE_MS = 600_000;
/** For so long a request is waited for before the next one sets out. */
const PATIENCE_MS = 2_000;

/**
 * Sends what a careless and a hostile world would send, one after the other. One that takes long is not waited for, so that five of up to
 * 10 seconds take 22 at most, bodies included; only the repetition comes when the first has ended.
 */
export async function probeReceiver(send: Send, target: ProbeTarget): Promise<Probes> {
  const { url, secret, partnerId } = target;
  const requestOf = (eventType: string, data: Readonly<Record<string, unknown>>): WebhookRequest => {
    const eventId = newId();
    const body = webhookBody({ eventId, eventType, occurredAt: new Date(), data });
    return { url, secret, eventId, eventType, body, attemptNumber: 1, isTest: true };
  };
  const example = (): WebhookRequest => requestOf(EXAMPLE, exampleData(EXAMPLE, partnerId));
  const request = example();
  const signed = send(request);
  await patient(signed);
  const forged = send({ ...example(), secret: newSecret() });
  await patient(forged);
  const stale = send({ ...example(), signedAt: new Date(Date.now() - STALE_MS) });
  await patient(stale);
  const unknownType = send(requestOf(UNKNOWN_TYPE, { partnerId }));
  await patient(unknownType);
  await signed;
  const repeated = await send({ ...request, attemptNumber: 2 });
  return {
    signed: await signed,
    forged: await forged,
    stale: await stale,
    repeated,
    unknownType: await unknownType,
  };
}

/** Waits for one, but not for long. */
async function patient(sent: Promise<AttemptResult>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  await Promise.race([sent, new Promise((resolve) => (timer = setTimeout(resolve, PATIENCE_MS)))]);
  clearTimeout(timer);
}
