import { describe, expect, it } from '@jest/globals';
import { scrub } from './scrub';

const JWT = 'eyJhbGciOiJFZERTQSJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl';

describe('scrub', () => {
  it.each([
    ['a bearer token', `{"msg":"Authorization: Bearer abc.def-ghi1"}`, 'abc.def'],
    ['a token of its own', `{"msg":"token ${JWT} refused"}`, 'eyJ'],
    ['a webhook secret', '{"err":{"stack":"Error: whsec_AbCdEfGh12345678\\n at x"}}', 'AbCdEf'],
    ['the password of a URL', '{"msg":"connect postgresql://platform:p%40ss-w0rd@127.0.0.1:5432/x"}', 'w0rd'],
    ['a secret deep inside', '{"a":{"b":{"c":{"d":{"clientSecret":"s3cr3t"}}}}}', 's3cr3t'],
    ['a secret in JSON in a string', '{"msg":"[{\\"name\\":\\"v\\",\\"apiKey\\":\\"k3y\\"}]"}', 'k3y'],
    ['settings', '{"config":{"KEY_ENCRYPTION_KEY":"k3k","OIDC_CLIENT_SECRET":"k3k"}}', 'k3k'],
    ['an activation code', '{"msg":"esim LPA:1$smdp.example$ABC-1"}', 'smdp'],
    ['an activation code by name', '{"esimActivationCode":"ABC-1"}', 'ABC-1'],
    ['an activation code of any product', '{"gift_card_activation_code":"ABC-1"}', 'ABC-1'],
    ['an e-mail address', '{"msg":"detail: (ada@example.com)"}', 'ada@'],
    ['an encoded e-mail address', '{"msg":"?to=ada%40example.com"}', 'ada%40'],
    ['a phone number', '{"msg":"Failing row contains (1, +966501234567)"}', '96650'],
    ['an encoded phone number', '{"msg":"%2B966501234567"}', '96650'],
  ])('when a line holds %s, then it is hidden and the line stays JSON', (_, line, secret) => {
    expect(line).toContain(secret);
    const scrubbed = scrub(line);
    expect(scrubbed).not.toContain(secret);
    expect(() => void JSON.parse(scrubbed)).not.toThrow();
    expect(scrubbed).toContain('[hidden]');
  });

  it.each([
    '{"level":30,"time":"2026-11-21T16:40:38.123+00:00","msg":"ready","grpcPort":50051}',
    '{"stack":"at /app/node_modules/@grpc/grpc-js/build/src/call.js:32:19\\n at pg@8.11.0"}',
    '{"requestId":"0af76519-16cd-43dd-8448-eb211c80319c","url":"http://127.0.0.1:8080/x","tokenIssuer":"identity"}',
    '{"amount":"+12.50","check":"database","job":"saga-recovery","key":"ORDER-1"}',
  ])('when there is nothing to hide, then the line stays as it is', (line) => {
    expect(scrub(line)).toBe(line);
  });

  it.each([
    ['backslashes', '\\'],
    ['beginnings of a token', 'eyJ-'],
  ])('when a line holds many %s, then it is read once', (_, piece) => {
    // Tried anew from each of them, this would take minutes.
    const line = JSON.stringify({ msg: piece.repeat(100_000) });
    expect(scrub(line)).toBe(line);
  });
});
