import { createHmac } from 'node:crypto';
import { requestBytes } from '../shape';
import type { Shape } from '../shape';

type Claims = Record<string, unknown>;

const encode = (value: unknown): string =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');

function decode(part: string | undefined): Claims {
  try {
    return JSON.parse(Buffer.from(part ?? '', 'base64url').toString()) as Claims;
  } catch {
    // An operator's token is no JWT.
    return { alg: 'EdDSA', kid: 'x' };
  }
}

/** A token of other parts than the sound one, by default with the sound signature. */
const forged =
  (header: (sound: Claims) => unknown, claims?: (sound: Claims) => unknown, signature?: string) =>
  (token: string): string => {
    const [head, body, signed = ''] = token.split('.');
    return `Bearer ${encode(header(decode(head)))}.${claims ? encode(claims(decode(body))) : body}.${signature ?? signed}`;
  };

const same = (sound: Claims): Claims => sound;

const TOKENS: Readonly<Record<string, (token: string) => string>> = {
  'nothing after Bearer': () => 'Bearer',
  'a blank after Bearer': () => 'Bearer  ',
  'another scheme': () => 'Basic dXNlcjpwYXNz',
  'no scheme': (token) => token,
  'the scheme twice': (token) => `Bearer Bearer ${token}`,
  'blanks inside': (token) => `Bearer ${token.slice(0, 20)} ${token.slice(20)}`,
  'two tokens': (token) => `Bearer ${token}, Bearer ${token}`,
  '15 KB': () => `Bearer ${'a'.repeat(15_000)}`,
  '15 KB of dots': () => `Bearer ${'.'.repeat(15_000)}`,
  '15 KB of parts': () => `Bearer ${'e30.'.repeat(3_700)}`,
  '15 KB of blanks': () => `Bearer${' '.repeat(15_000)}x`,
  'bytes above 127': () => 'Bearer \xff\xfe\x80',
  'no base64': () => 'Bearer !!!.###.$$$',
  'five parts': () => 'Bearer a.b.c.d.e',
  'no signature': forged(same, undefined, ''),
  'another signature': forged(same, undefined, encode('x'.repeat(64))),
  'a signature of 12 KB': forged(same, undefined, 'a'.repeat(12_000)),
  'alg none': forged((head) => ({ ...head, alg: 'none' }), undefined, ''),
  'alg None with a signature': forged((head) => ({ ...head, alg: 'None' })),
  'alg of another key': forged((head) => ({ ...head, alg: 'ES256' })),
  'alg as a list': forged((head) => ({ ...head, alg: ['EdDSA', 'none'] })),
  'alg __proto__': forged((head) => ({ ...head, alg: '__proto__' })),
  'alg by a shared secret': (token) => {
    const [, body] = token.split('.');
    const signed = `${encode({ alg: 'HS256', typ: 'JWT' })}.${body}`;
    return `Bearer ${signed}.${createHmac('sha256', 'secret').update(signed).digest('base64url')}`;
  },
  'a kid that is a path': forged((head) => ({ ...head, kid: '../../../../dev/null' })),
  'a kid __proto__': forged((head) => ({ ...head, kid: '__proto__' })),
  'a kid of 10 KB': forged((head) => ({ ...head, kid: 'k'.repeat(10_000) })),
  'a kid as an object': forged((head) => ({ ...head, kid: {} })),
  'a key of its own': forged((head) => ({
    ...head,
    jwk: { kty: 'oct', k: 'AA' },
    jku: 'http://evil.example',
  })),
  'an unknown crit': forged((head) => ({ ...head, crit: ['x'], x: 1 })),
  'an unencoded payload': forged((head) => ({ ...head, b64: false, crit: ['b64'] })),
  'a deep header': forged(() => `${'['.repeat(5_000)}${']'.repeat(5_000)}`),
  'a header that is a list': forged(() => []),
  'other claims': forged(same, (claims) => ({ ...claims, partnerId: 'x', sub: null, exp: 4e9 })),
  'a life without end': forged(same, (claims) => ({ ...claims, exp: 1e308 })),
  'claims that are a number': forged(same, () => 1),
};

/** Tokens that are none, each once: a signature is looked at before a call is. */
export const TOKEN_SHAPES: readonly Shape[] = Object.entries(TOKENS).map(([name, forge]) => ({
  name: `token: ${name}`,
  bytes: (call) => requestBytes(call, { authorization: forge(call.token ?? 'e30.e30.e30') }),
}));
