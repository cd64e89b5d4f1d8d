import { createHmac, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, SignJWT, type JWK } from 'jose';
import { lineOf, type Line } from '../abuse/verdict';
import type { PartnerClient } from '../clients/partner-client';
import { send } from '../clients/response';
import { rowsOf } from '../platform/rows-of';
import { bearer } from './role-matrix';

type Claims = Record<string, unknown>;

/** What a forger has: a sound token, the public keys, a key of his own and a server that publishes it. */
interface Forger {
  readonly token: string;
  readonly header: Claims;
  readonly claims: Claims;
  readonly publicJwk: JWK;
  readonly own: KeyObject;
  readonly ownJwk: JWK;
  readonly jku: string;
}

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const decode = (part = ''): Claims => JSON.parse(Buffer.from(part, 'base64url').toString()) as Claims;

const signedBy =
  (header: (forger: Forger) => Claims, claims: (forger: Forger) => Claims = (forger) => forger.claims) =>
  (forger: Forger): Promise<string> =>
    new SignJWT(claims(forger))
      .setProtectedHeader({ alg: 'EdDSA', typ: 'JWT', ...header(forger) })
      .sign(forger.own);

const byHmac =
  (secretOf: (forger: Forger) => string) =>
  (forger: Forger): string => {
    const signed = `${encode({ ...forger.header, alg: 'HS256' })}.${encode(forger.claims)}`;
    return `${signed}.${createHmac('sha256', secretOf(forger)).update(signed).digest('base64url')}`;
  };

const withSignature =
  (header: (forger: Forger) => Claims, claims: (forger: Forger) => Claims, signature?: string) =>
  (forger: Forger): string =>
    [encode(header(forger)), encode(claims(forger)), signature ?? forger.token.split('.')[2]].join('.');

const sound = ({ header }: Forger): Claims => header;
const soundClaims = ({ claims }: Forger): Claims => claims;

/** Families of forged tokens (spec §2.3, §14): each a token that looks right and is not identity's. */
const FORGED: Readonly<Record<string, (forger: Forger) => string | Promise<string>>> = {
  'no algorithm': withSignature((f) => ({ ...f.header, alg: 'none' }), soundClaims, ''),
  'no algorithm, its name in other letters': withSignature(
    (f) => ({ ...f.header, alg: 'nOnE' }),
    soundClaims,
    '',
  ),
  'the public key as a shared secret': byHmac(({ publicJwk }) => JSON.stringify(publicJwk)),
  'the public bytes as a shared secret': byHmac(({ publicJwk }) => String(publicJwk.x)),
  'an empty shared secret': byHmac(() => '\0'),
  'a key of his own under our id': signedBy(({ header }) => ({ kid: header.kid })),
  'a key of his own without an id': signedBy(() => ({})),
  'a key of his own inside': signedBy(({ ownJwk }) => ({ jwk: ownJwk })),
  'a key of his own by address': signedBy(({ jku }) => ({ jku, kid: 'own' })),
  'a certificate by address': signedBy(({ jku }) => ({ x5u: jku, kid: 'own' })),
  'an id that is a path': signedBy(() => ({ kid: '../../../dev/null' })),
  'an id that is SQL': signedBy(() => ({ kid: "' UNION SELECT 'x" })),
  'an id of the prototype': signedBy(() => ({ kid: '__proto__' })),
  'an unknown critical header': withSignature((f) => ({ ...f.header, crit: ['exp'] }), soundClaims),
  'a payload that is not encoded': withSignature(
    (f) => ({ ...f.header, b64: false, crit: ['b64'] }),
    soundClaims,
  ),
  'a token inside a token': ({ token, header }) =>
    [encode({ ...header, cty: 'JWT' }), Buffer.from(token).toString('base64url'), token.split('.')[2]].join(
      '.',
    ),
  'the live world with a sandbox signature': withSignature(sound, (f) => ({ ...f.claims, env: 'live' })),
  'another partner with our signature': withSignature(sound, (f) => ({
    ...f.claims,
    sub: crypto.randomUUID(),
  })),
  'a longer life with our signature': withSignature(sound, (f) => ({ ...f.claims, exp: 4_102_444_800 })),
  'a signature of zeros': withSignature(
    (f) => ({ ...f.header, alg: 'ES256' }),
    soundClaims,
    Buffer.alloc(64).toString('base64url'),
  ),
  'a signature of zeros for our algorithm': withSignature(
    sound,
    soundClaims,
    Buffer.alloc(64).toString('base64url'),
  ),
  'the identity element as a key': withSignature(
    sound,
    soundClaims,
    Buffer.concat([Buffer.from([1]), Buffer.alloc(63)]).toString('base64url'),
  ),
  'a signature twice as long': ({ token }) => `${token}${token.split('.')[2]}`,
  '15 KB of claims': signedBy(sound, ({ claims }) => ({ ...claims, pad: 'x'.repeat(11_000) })),
  'a deep header': () =>
    `${Buffer.from(`${'[1,'.repeat(2_000)}1${']'.repeat(2_000)}`).toString('base64url')}.e30.e30`,
};

/** Sends every forged token to the gateway; nothing may be fetched from the forger's own address. */
export async function tokenLines(gatewayUrl: string, partner: PartnerClient): Promise<Line[]> {
  const { server, requests, jku } = await serveKeys();
  try {
    const forger = await newForger(await partner.accessToken(), jku);
    const faults: string[] = [];
    for (const [name, forge] of Object.entries(FORGED)) {
      const { status, state } = await send(`${gatewayUrl}/api/v1/wallet/balance`, {
        headers: bearer(await forge(forger)),
      });
      if (status !== 401 || state !== 'UNAUTHORIZED_INVALID_TOKEN')
        faults.push(`${name}: ${status} ${state}`);
    }
    const { status } = await send(`${gatewayUrl}/api/v1/wallet/balance`, { headers: bearer(forger.token) });
    return [
      lineOf('forged tokens', `${Object.keys(FORGED).length} families`, 'all refused', faults),
      lineOf('the sound token among them', String(status), '200', status === 200 ? [] : [`it got ${status}`]),
      lineOf('keys fetched from a token’s own address', String(requests.length), 'none', requests),
    ];
  } finally {
    await new Promise((resolve) => server.close(resolve));
  }
}

async function newForger(token: string, jku: string): Promise<Forger> {
  const [header, claims] = token.split('.');
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const [row] = await rowsOf<{ public_jwk: JWK }>(
    'identity',
    'SELECT public_jwk FROM signing_keys ORDER BY generation DESC LIMIT 1',
  );
  if (!row) throw new Error('identity has no signing key');
  const ownJwk = { ...(await exportJWK(publicKey)), kid: 'own', alg: 'EdDSA' };
  return {
    token,
    header: decode(header),
    claims: decode(claims),
    publicJwk: row.public_jwk,
    own: privateKey,
    ownJwk,
    jku,
  };
}

async function serveKeys(): Promise<{ server: Server; requests: string[]; jku: string }> {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    response.end('{"keys":[]}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, requests, jku: `http://127.0.0.1:${(server.address() as AddressInfo).port}/jwks` };
}
