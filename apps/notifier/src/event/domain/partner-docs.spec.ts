import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import {
  GROUP_STATUSES,
  ORDER_STATUSES,
  PRODUCT_NAMES,
  RETURN_REASONS,
  RETURN_REQUEST_STATUSES,
  WEBHOOK_EVENT_TYPES,
} from '@reseller/presenters';
import { samplesFor } from '@reseller/testing';
import type {
  FulfillmentGroupStatus,
  OrderStatus,
  ProductType,
  ReturnReasonCode,
  ReturnRequestStatus,
  WebhookEvent,
} from '@reseller/webhook-receiver';
import { signBody } from '../../delivery/signature';
import { exampleData } from './public-events';
import { webhookBody } from './webhook-event';

const docs = path.join(__dirname, '../../../../../docs/partners');
const examples = samplesFor(__filename).map(
  ({ section, code }) => [section.replaceAll('`', ''), JSON.parse(code) as WebhookEvent] as const,
);

interface Vector {
  name: string;
  secrets: string[];
  headers: [string, string][];
  body: string;
  expect: string;
}

const vectorsFile = readFileSync(path.join(docs, 'webhook-signature-vectors.json'), 'utf8');
const { vectors } = JSON.parse(vectorsFile) as { vectors: Vector[] };

const header = ({ headers }: Vector, name: string): string =>
  headers.find(([key]) => key.toLowerCase() === name)?.[1] ?? '';

const isSignedByOne = (vector: Vector): boolean =>
  vector.secrets.some(
    (secret) =>
      signBody(secret, header(vector, 'x-service-timestamp'), Buffer.from(vector.body)) ===
      header(vector, 'x-service-signature'),
  );

/** A compile-time check: the names are exactly those of the type. */
const exactly =
  <Type extends string>() =>
  <Name extends Type>(
    _names: readonly Name[],
    ..._all: [Exclude<Type, Name>] extends [never] ? [] : [never]
  ) =>
    undefined;

describe('what partners read about webhooks', () => {
  it('when the guide shows events, then there is one of each type', () => {
    expect(examples.map(([type]) => type).sort()).toEqual([...WEBHOOK_EVENT_TYPES].sort());
  });

  it.each(examples)('when the guide shows %s, then it is what is really sent', (type, documented) => {
    const eventType = WEBHOOK_EVENT_TYPES.find((name) => name === type) ?? 'order.completed';
    const { eventId, occurredAt, data } = documented;
    const sent = webhookBody({
      eventId,
      eventType,
      occurredAt: new Date(occurredAt),
      data: exampleData(eventType, data.partnerId),
    });
    expect(JSON.stringify(documented)).toBe(String(sent));
  });

  it.each(vectors.filter((vector) => vector.expect === 'valid'))(
    'when a vector is valid ($name), then deliveries are signed so',
    (vector) => {
      expect(isSignedByOne(vector)).toBe(true);
    },
  );

  it.each(vectors.filter((vector) => vector.expect === 'signature-mismatch'))(
    'when a vector is forged ($name), then deliveries are not signed so',
    (vector) => {
      expect(isSignedByOne(vector)).toBe(false);
    },
  );

  it('when partners compile against the types, then their names are all that can be sent', () => {
    // These fail in the type check, both when a name is missing from the library and when it has one too many.
    exactly<OrderStatus>()(ORDER_STATUSES);
    exactly<FulfillmentGroupStatus>()(GROUP_STATUSES);
    exactly<ReturnRequestStatus>()(RETURN_REQUEST_STATUSES);
    exactly<ReturnReasonCode>()(RETURN_REASONS);
    exactly<WebhookEvent['eventType']>()(WEBHOOK_EVENT_TYPES);
    exactly<ProductType>()(Object.values(PRODUCT_NAMES));
  });
});
