import { AppError } from '@reseller/errors';
import { OPERATOR_ROLE_NAMES, type OperatorRoleName } from '@reseller/rpc';
import * as oidc from 'openid-client';
import type { SignInAttempt } from './sign-in-attempt';

/** Which provider, and as which client. */
interface IdentityProviderSettings {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly rolesClaim: string;
}

/** Who signed in, as the provider says. */
interface SignedIn {
  readonly name: string;
  readonly account: string;
  readonly roles: readonly OperatorRoleName[];
}

/** The provider's keys are read again after this time: a withdrawn one is refused, a new one taken, within 75 s (spec §18.1). */
const KNOWN_FOR_MS = 45_000;
const ALGORITHMS = ['RS256', 'ES256', 'EdDSA'];
const TIMEOUT_SECONDS = 5;
const TOLERANCE_SECONDS = 5;
const LONGEST_NAME = 100;

/** The OpenID provider that operators sign in with: authorization code, PKCE, state and nonce. */
export class IdentityProvider {
  private known: { readonly until: number; readonly configuration: Promise<oidc.Configuration> } | undefined;

  constructor(private readonly settings: IdentityProviderSettings) {}

  /** Where the browser goes to sign in; throws SERVICE_UNAVAILABLE while the provider cannot be reached. */
  async signInUrl({ state, nonce, codeVerifier }: SignInAttempt, redirectUri: string): Promise<string> {
    const url = oidc.buildAuthorizationUrl(await this.configuration(), {
      redirect_uri: redirectUri,
      scope: 'openid profile email',
      state,
      nonce,
      code_challenge: await oidc.calculatePKCECodeChallenge(codeVerifier),
      code_challenge_method: 'S256',
    });
    return url.href;
  }

  /**
   * Who came back to `callback` with this attempt; throws UNAUTHORIZED_INVALID_TOKEN for whatever the provider did not sign for
   * us, SERVICE_UNAVAILABLE while it cannot be reached or does not take us for its client.
   */
  async finish({ state, nonce, codeVerifier }: SignInAttempt, callback: URL): Promise<SignedIn> {
    const configuration = await this.configuration();
    const tokens = await oidc
      .authorizationCodeGrant(configuration, callback, {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: codeVerifier,
        idTokenExpected: true,
      })
      .catch((error: unknown) => {
        const outage = outageOf(error);
        throw new AppError(
          outage ? 'SERVICE_UNAVAILABLE' : 'UNAUTHORIZED_INVALID_TOKEN',
          {},
          { cause: outage ?? error },
        );
      });
    const claims = tokens.claims();
    const { issuer, clientId, rolesClaim } = this.settings;
    // The library looks at azp only where there are several audiences.
    if (!claims?.sub || (claims.azp !== undefined && claims.azp !== clientId))
      throw new AppError('UNAUTHORIZED_INVALID_TOKEN');
    return { name: nameOf(claims), account: `${issuer} ${claims.sub}`, roles: rolesOf(claims[rolesClaim]) };
  }

  private configuration(): Promise<oidc.Configuration> {
    const now = Date.now();
    if (!this.known || this.known.until <= now) {
      const configuration = this.discover();
      const known = { until: now + KNOWN_FOR_MS, configuration };
      this.known = known;
      // What failed is tried again by the next one.
      configuration.catch(() => (this.known = this.known === known ? undefined : this.known));
    }
    return this.known.configuration;
  }

  private async discover(): Promise<oidc.Configuration> {
    const { issuer, clientId, clientSecret } = this.settings;
    // The settings let plain http be on this machine only, and not in production.
    const plain = issuer.startsWith('http:') ? [oidc.allowInsecureRequests] : [];
    try {
      const discovered = await oidc.discovery(new URL(issuer), clientId, undefined, oidc.None(), {
        execute: plain,
        timeout: TIMEOUT_SECONDS,
      });
      const { supportsPKCE: _supportsPkce, ...metadata } = discovered.serverMetadata();
      const methods = metadata.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
      const authenticate = methods.includes('client_secret_basic')
        ? oidc.ClientSecretBasic
        : oidc.ClientSecretPost;
      const configuration = new oidc.Configuration(
        { ...metadata, id_token_signing_alg_values_supported: ALGORITHMS },
        clientId,
        { client_secret: clientSecret, [oidc.clockTolerance]: TOLERANCE_SECONDS },
        authenticate(clientSecret),
      );
      configuration.timeout = TIMEOUT_SECONDS;
      for (const allow of plain) allow(configuration);
      oidc.enableNonRepudiationChecks(configuration);
      return configuration;
    } catch (error) {
      const cause = new Error(`the identity provider at OIDC_ISSUER cannot be used: ${innermostOf(error)}`);
      throw new AppError('SERVICE_UNAVAILABLE', {}, { cause });
    }
  }
}

/** The library wraps what went wrong more than once. */
function innermostOf(error: unknown): string {
  const { cause } = error as Error;
  return cause instanceof Error ? innermostOf(cause) : String((error as Error).message);
}

/** Why nobody could sign in now, whoever it is; undefined for what the provider says of this caller. */
function outageOf(error: unknown): unknown {
  const { name, message, code, cause } = error as {
    name?: string;
    message?: string;
    code?: string;
    cause?: { error?: unknown; status?: number };
  };
  const status = (error as { status?: number }).status ?? cause?.status ?? 0;
  if (status === 401 || ['invalid_client', 'unauthorized_client'].includes(String(cause?.error)))
    return new Error('the identity provider does not take OIDC_CLIENT_ID with OIDC_CLIENT_SECRET');
  const isAway =
    message === 'fetch failed' || code === 'OAUTH_TIMEOUT' || name === 'TimeoutError' || status >= 500;
  return isAway ? error : undefined;
}

/** The first of these claims that says something, as the audit and the ledger show it (spec §18.1). */
function nameOf(claims: oidc.IDToken): string {
  const names = [claims['name'], claims['preferred_username'], claims['email'], claims.sub]
    .map((value) => (typeof value === 'string' ? value.replaceAll(/\p{Cc}/gu, ' ').trim() : ''))
    .filter((name) => name !== '');
  return [...(names[0] ?? 'operator')].slice(0, LONGEST_NAME).join('');
}

/** A text or a list; what is no role is ignored (spec §18.2). */
function rolesOf(claim: unknown): OperatorRoleName[] {
  const given: unknown[] = [claim].flat();
  return OPERATOR_ROLE_NAMES.filter((role) => given.includes(role));
}
