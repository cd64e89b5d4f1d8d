import { randomBytes } from 'node:crypto';
import { lineOf, type Line } from '../abuse/verdict';
import { OperatorBrowser, type OperatorSession } from '../clients/operator-browser';
import { send } from '../clients/response';
import type { PlatformDescription } from '../platform/platform-file';
import { bearer } from './role-matrix';

const NEW_PARTNER = { name: 'By an attacker' };

/** What is tried against sessions, each returning what was wrong (spec §18.1). */
export async function sessionLines(platform: PlatformDescription): Promise<Line[]> {
  const attacks = new SessionAttacks(platform);
  const tried = [
    await attacks.tokenInCookie(),
    await attacks.cookieAsToken(),
    await attacks.replay(),
    await attacks.fixation(),
    await attacks.forgedChanges(),
    await attacks.callbackOfAnother(),
    await attacks.returnElsewhere(),
    await attacks.foreignPage(),
  ];
  return tried.map(([name, figure, faults]) => lineOf(name, figure, 'refused', faults));
}

type Tried = [name: string, figure: string, faults: string[]];

class SessionAttacks {
  private readonly base: string;

  constructor(private readonly platform: PlatformDescription) {
    this.base = platform.backofficeUrl;
  }

  async tokenInCookie(): Promise<Tried> {
    const name = cookieOf(await this.signedIn('admin'), this.base).split('=')[0] ?? '';
    const values = [
      this.platform.operatorToken,
      randomBytes(32).toString('base64url'),
      '',
      '__proto__',
      'x'.repeat(4_000),
    ];
    const faults = [];
    for (const value of values) faults.push(...(await this.served(`${name}=${value}`)));
    return ['a session cookie of anything else', `${values.length} values`, faults];
  }

  async cookieAsToken(): Promise<Tried> {
    const [, session = ''] = cookieOf(await this.signedIn('admin'), this.base).split('=');
    const { state } = await send(`${this.base}/ops/v1/partners`, { headers: bearer(session) });
    return ['a session as a bearer token', state, state === 'UNAUTHORIZED_INVALID_TOKEN' ? [] : [state]];
  }

  async replay(): Promise<Tried> {
    const browser = await this.signedIn('admin');
    const cookie = cookieOf(browser, this.base);
    await browser.change('/auth/sign-out', { method: 'POST' });
    return ['a session replayed after sign-out', 'its cookie', await this.served(cookie)];
  }

  async fixation(): Promise<Tried> {
    const planted = cookieOf(await this.signedIn('viewer'), this.base);
    const victim = new OperatorBrowser(this.base);
    victim.plant(new URL(this.base), planted);
    await this.signIn(victim, 'admin');
    const own = cookieOf(victim, this.base);
    const { payload } = await send<OperatorSession>(`${this.base}/auth/session`, {
      headers: { cookie: planted },
    });
    const roles = payload?.operator?.roles ?? [];
    return [
      'a session planted before sign-in',
      own === planted ? 'kept' : 'replaced',
      [
        ...(own === planted ? ['the planted cookie became the session'] : []),
        ...(roles.includes('admin') ? ['the planted session became an admin’s'] : []),
      ],
    ];
  }

  async forgedChanges(): Promise<Tried> {
    const browser = await this.signedIn('admin');
    const other = await this.signedIn('admin');
    const csrfOf = async (one: OperatorBrowser) =>
      (await one.call<OperatorSession>('/auth/session')).payload.csrfToken;
    const [own, foreign] = [await csrfOf(browser), await csrfOf(other)];
    const tries: Record<string, Record<string, string>> = {
      'no header at all': {},
      'no token': { origin: this.base },
      'no origin': { 'x-csrf-token': own },
      'another origin': { origin: 'https://evil.example', 'x-csrf-token': own },
      'the origin as a prefix': { origin: `${this.base}.evil.example`, 'x-csrf-token': own },
      'origin null': { origin: 'null', 'x-csrf-token': own },
      'a referer instead': { referer: `${this.base}/console/`, 'x-csrf-token': own },
      'another session’s token': { origin: this.base, 'x-csrf-token': foreign },
      'a token of another length': { origin: this.base, 'x-csrf-token': own.slice(1) },
    };
    const faults = [];
    for (const [name, headers] of Object.entries(tries)) {
      const { status, state } = await browser.call('/ops/v1/partners', { body: NEW_PARTNER, headers });
      if (status !== 403 || state !== 'FORBIDDEN_CSRF') faults.push(`${name}: ${status} ${state}`);
    }
    return ['changes forged by another page', `${Object.keys(tries).length} forms`, faults];
  }

  async callbackOfAnother(): Promise<Tried> {
    const start = await fetch(`${this.base}/auth/sign-in`, { redirect: 'manual' });
    const state = new URL(start.headers.get('location') ?? '').searchParams.get('state') ?? '';
    const faults = [];
    for (const query of [
      `code=stolen&state=${state}`,
      'code=stolen',
      `state=${state}`,
      'error=access_denied',
      '',
    ]) {
      const response = await fetch(`${this.base}/auth/callback?${query}`, { redirect: 'manual' });
      const isSession = response.headers
        .getSetCookie()
        .some((line) => /^__Host-[^=]*session[^=]*=[^;]/i.test(line));
      if (isSession) faults.push(`${query} made a session`);
    }
    return ['a callback in another browser', '5 forms', faults];
  }

  async returnElsewhere(): Promise<Tried> {
    const targets = [
      'https://evil.example/',
      '//evil.example/',
      '/\\evil.example/',
      '/\t/evil.example',
      'javascript:alert(1)',
      '/console/@evil.example/../..//evil.example',
    ];
    const faults = [];
    for (const target of targets) {
      const end = await this.signIn(new OperatorBrowser(this.base), 'viewer', target);
      if (end.origin !== new URL(this.base).origin) faults.push(`${target} led to ${end.href}`);
    }
    return ['a sign-in that returns elsewhere', `${targets.length} targets`, faults];
  }

  async foreignPage(): Promise<Tried> {
    const cookie = cookieOf(await this.signedIn('admin'), this.base);
    const faults = [];
    for (const method of ['GET', 'OPTIONS', 'POST']) {
      const headers = { cookie, origin: 'https://evil.example', 'access-control-request-method': 'POST' };
      const response = await fetch(`${this.base}/ops/v1/partners`, { method, headers });
      const allowed = [...response.headers.keys()].filter((name) => name.startsWith('access-control-'));
      if (allowed.length > 0) faults.push(`${method}: ${allowed.join(', ')}`);
      await response.body?.cancel();
    }
    return ['responses readable by another page', 'CORS headers of 3 methods', faults];
  }

  private async served(cookie: string): Promise<string[]> {
    const { state } = await send(`${this.base}/ops/v1/partners`, { headers: { cookie } });
    return state === 'UNAUTHORIZED_INVALID_TOKEN' || state === 'RATE_LIMITED'
      ? []
      : [`${cookie.slice(0, 40)}: ${state}`];
  }

  private async signedIn(role: string): Promise<OperatorBrowser> {
    const browser = new OperatorBrowser(this.base);
    await this.signIn(browser, role);
    return browser;
  }

  private signIn(browser: OperatorBrowser, role: string, returnTo?: string): Promise<URL> {
    const one = this.platform.operators.find((operator) => operator.role === role);
    return browser.signIn(one?.username ?? '', one?.password ?? '', returnTo);
  }
}

const cookieOf = (browser: OperatorBrowser, base: string): string =>
  browser
    .cookies(new URL(base))
    .split('; ')
    .find((pair) => pair.startsWith('__Host-')) ?? '';
