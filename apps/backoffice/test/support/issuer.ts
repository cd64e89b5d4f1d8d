import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT, type CryptoKey, type JWK, type JWTPayload } from 'jose';

interface SigningKey {
  readonly alg: string;
  readonly privateKey: CryptoKey;
  readonly publicJwk: JWK;
}

/** A new key of an issuer. */
export async function newKey(alg: string, kid = `${alg}-${Math.random()}`): Promise<SigningKey> {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
  return { alg, privateKey, publicJwk: { ...(await exportJWK(publicKey)), alg, kid, use: 'sig' } };
}

/** An OpenID provider that says whatever a test wants it to say. */
export class TestIssuer {
  readonly clientId = 'backoffice';
  readonly clientSecret = 'client-secret';
  /** What the id token says beside, or instead of, what is right. */
  claims: JWTPayload = {};
  /** Makes the id token in another way. */
  forge: ((claims: JWTPayload) => Promise<string> | string) | undefined;
  /** What the token endpoint, or another path, returns instead. */
  refusal: { path?: string; status: number; headers?: Record<string, string>; body: object } | undefined;
  /** The forms that came to the token endpoint. */
  readonly tokenRequests: URLSearchParams[] = [];

  private constructor(
    private readonly server: Server,
    public key: SigningKey,
    public published: JWK[],
  ) {}

  static async start(): Promise<TestIssuer> {
    const key = await newKey('RS256');
    const issuer: TestIssuer = new TestIssuer(
      createServer((request, response) => {
        let body = '';
        request.on('data', (chunk) => (body += String(chunk)));
        request.on('end', () => {
          const { refusal } = issuer;
          if (refusal && request.url?.startsWith(refusal.path ?? '/token')) {
            response.writeHead(refusal.status, { 'content-type': 'application/json', ...refusal.headers });
            response.end(JSON.stringify(refusal.body));
            return;
          }
          void issuer.respond(request.url ?? '', body).then((reply) => {
            response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(reply));
          });
        });
      }),
      key,
      [key.publicJwk],
    );
    await new Promise<void>((resolve) => issuer.server.listen(0, '127.0.0.1', resolve));
    return issuer;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Signs as the issuer does. */
  sign(claims: JWTPayload, { alg, privateKey, publicJwk }: SigningKey = this.key): Promise<string> {
    const header = { alg, ...(publicJwk.kid && { kid: publicJwk.kid }) };
    return new SignJWT(claims).setProtectedHeader(header).sign(privateKey);
  }

  reset(): void {
    this.claims = {};
    this.forge = undefined;
    this.refusal = undefined;
    this.tokenRequests.length = 0;
  }

  stop(): Promise<void> {
    this.server.closeAllConnections();
    return new Promise((resolve) => this.server.close(() => resolve()));
  }

  private nonce = '';

  /** What the browser would bring back from an authorization request. */
  authorize(location: string): URLSearchParams {
    const request = new URL(location).searchParams;
    this.nonce = request.get('nonce') ?? '';
    return new URLSearchParams({ code: 'code-1', state: request.get('state') ?? '' });
  }

  private async respond(path: string, body: string): Promise<unknown> {
    if (path.startsWith('/.well-known'))
      return {
        issuer: this.url,
        authorization_endpoint: `${this.url}/authorize`,
        token_endpoint: `${this.url}/token`,
        jwks_uri: `${this.url}/jwks`,
        response_types_supported: ['code'],
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: ['RS256', 'HS256', 'none'],
      };
    if (path === '/jwks') return { keys: this.published };
    this.tokenRequests.push(new URLSearchParams(body));
    const now = Math.floor(Date.now() / 1_000);
    const claims = {
      iss: this.url,
      aud: this.clientId,
      sub: 'user-1',
      iat: now,
      exp: now + 300,
      nonce: this.nonce,
      name: 'Olga Ops',
      roles: ['support', 'root'],
      ...this.claims,
    };
    const id_token = await (this.forge ?? ((all) => this.sign(all)))(claims);
    return { access_token: 'opaque', token_type: 'Bearer', expires_in: 300, id_token };
  }
}
