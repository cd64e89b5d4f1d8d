import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { eventBody, signedHeaders } from '../test/sign';
import { verifyWebhook, type VerifyOptions } from './verify-webhook';

const secret = 'whsec_one';
const body = Buffer.from(eventBody());
const good = (changes: Partial<VerifyOptions> = {}): VerifyOptions => ({
  secret,
  headers: signedHeaders(secret, body),
  rawBody: body,
  ...changes,
});

describe('verifyWebhook', () => {
  it('when headers are a record, lists of values, pairs or a Headers, then each is read', () => {
    const record = signedHeaders(secret, body);
    const lists = Object.fromEntries(Object.entries(record).map(([name, value]) => [name, [value]]));
    for (const headers of [record, lists, Object.entries(record) as [string, string][], new Headers(record)])
      expect(verifyWebhook(good({ headers }))).toEqual(JSON.parse(String(body)));
  });

  it('when any one bit of the body changes, then it is refused', () => {
    fc.assert(
      fc.property(fc.nat(body.length - 1), fc.nat(7), (at, bit) => {
        const changed = Buffer.from(body);
        changed[at] = (changed[at] ?? 0) ^ (1 << bit);
        expect(() => verifyWebhook(good({ rawBody: changed }))).toThrow('signed these bytes');
      }),
    );
  });

  it('when the age is beyond the tolerance, then it is refused, and never before', () => {
    const at = 1_768_470_600;
    fc.assert(
      fc.property(fc.integer({ min: -1_000, max: 1_000 }), fc.nat(900), (age, toleranceSeconds) => {
        const headers = signedHeaders(secret, body, at);
        const verify = () =>
          verifyWebhook(good({ headers, toleranceSeconds, now: new Date((at + age) * 1_000 + 999) }));
        if (Math.abs(age) <= toleranceSeconds) verify();
        else expect(verify).toThrow('either way are taken');
      }),
    );
  });

  it('when the bytes are no UTF-8, then they are no event even if they are signed', () => {
    // Inside of a text: with another character in its place it would be JSON.
    const at = body.indexOf('"eventId":"') + '"eventId":"'.length;
    const rawBody = Buffer.concat([body.subarray(0, at), Buffer.from([0xff]), body.subarray(at)]);
    const headers = signedHeaders(secret, rawBody);
    expect(() => verifyWebhook(good({ rawBody, headers }))).toThrow('not JSON');
  });

  it('when the call cannot be right, then it says so rather than verify', () => {
    const parsed = JSON.parse(String(body)) as string;
    expect(() => verifyWebhook(good({ rawBody: parsed }))).toThrow('a parsed body cannot be verified');
    for (const wrong of ['', [], [''], [secret, ''], undefined as unknown as string])
      expect(() => verifyWebhook(good({ secret: wrong, headers: signedHeaders('', body) }))).toThrow(
        TypeError,
      );
    expect(() => verifyWebhook(good({ toleranceSeconds: NaN }))).toThrow(TypeError);
    expect(() => verifyWebhook(good({ now: new Date(NaN) }))).toThrow('either way are taken');
  });
});
