import { createHash, generateKeyPairSync, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { Provider, interactionPolicy, type Configuration } from 'oidc-provider';
import { warn } from '../console';
import { MemoryAdapter } from './memory-adapter';
import { issuerOf, type LocalOperator } from './operators';
import { signInPage } from './sign-in-page';

/** What the provider is made with. */
export interface LocalProviderSettings {
  /** Where it listens. */
  port: number;
  operators: readonly LocalOperator[];
  clientId: string;
  clientSecret: string;
  /** Where each backoffice takes operators back. */
  redirectUris: string[];
}

const FORM = /^\/sign-in\/[A-Za-z0-9_-]+$/;
const { Check, base } = interactionPolicy;

/** The identity provider of this machine's operators (spec §18.1): plain forms, nothing kept, new keys each time it is made. */
export function createIdentityProvider(settings: LocalProviderSettings): RequestListener {
  const provider = new Provider(issuerOf(settings.port), configurationOf(settings));
  provider.on('server_error', (_context, error) => warn(`the identity provider failed: ${String(error)}`));
  const serve = provider.callback();
  return (request, response) => {
    const path = (request.url ?? '').split('?')[0] ?? '';
    if (!FORM.test(path)) return void serve(request, response);
    showForm(provider, settings.operators, request, response).catch(() =>
      response.writeHead(400, { 'content-type': 'text/plain' }).end('This sign-in is over; begin again.\n'),
    );
  };
}

function configurationOf({
  operators,
  clientId,
  clientSecret,
  redirectUris,
}: LocalProviderSettings): Configuration {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const keyId = randomBytes(8).toString('hex');
  return {
    adapter: MemoryAdapter,
    clients: [{ client_id: clientId, client_secret: clientSecret, redirect_uris: redirectUris }],
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), kid: keyId, use: 'sig', alg: 'RS256' }] },
    cookies: { keys: [randomBytes(32).toString('base64url')] },
    claims: { openid: ['sub'], profile: ['name', 'preferred_username', 'roles'], email: ['email'] },
    // The backoffice reads the id token alone.
    conformIdTokenClaims: false,
    features: { devInteractions: { enabled: false }, rpInitiatedLogout: { enabled: false } },
    interactions: { policy: alwaysAskWho(), url: (_context, { uid }) => `/sign-in/${uid}` },
    pkce: { required: () => true },
    ttl: { AccessToken: 60, AuthorizationCode: 60, Grant: 600, IdToken: 300, Interaction: 600, Session: 600 },
    async findAccount(_context, sub) {
      const operator = operators.find(({ username }) => username === sub);
      return operator && { accountId: sub, claims: async () => ({ sub, ...claimsOf(operator) }) };
    },
    async loadExistingGrant({ oidc }) {
      const grant = new oidc.provider.Grant({
        clientId: oidc.client?.clientId ?? '',
        accountId: oidc.session?.accountId ?? '',
      });
      grant.addOIDCScope('openid profile email');
      await grant.save();
      return grant;
    },
  };
}

/** Whoever signed in before has to sign in again, so that one can come in as another operator. */
function alwaysAskWho() {
  const policy = base();
  const isAnswered = new Check('always', 'who comes in is asked each time', ({ oidc }) =>
    oidc.result?.login ? Check.NO_NEED_TO_PROMPT : Check.REQUEST_PROMPT,
  );
  policy.get('login')?.checks.add(isAnswered);
  return policy;
}

const claimsOf = ({ username, name, role }: LocalOperator) => ({
  name,
  preferred_username: username,
  email: `${username}@operators.example`,
  roles: [role],
});

async function showForm(
  provider: Provider,
  operators: readonly LocalOperator[],
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  await provider.interactionDetails(request, response);
  if (request.method !== 'POST') return sendForm(response);
  const form = new URLSearchParams(await text(request));
  const operator = operators.find(({ username }) => username === form.get('username'));
  if (!operator || !isSame(form.get('password') ?? '', operator.password)) return sendForm(response, true);
  await provider.interactionFinished(request, response, { login: { accountId: operator.username } });
}

function sendForm(response: ServerResponse, isWrong = false): void {
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' });
  response.end(signInPage(isWrong));
}

const digest = (password: string): Buffer => createHash('sha256').update(password).digest();
const isSame = (given: string, password: string): boolean => timingSafeEqual(digest(given), digest(password));
