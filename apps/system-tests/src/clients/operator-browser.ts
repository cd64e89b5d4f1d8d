import type { ApiResponse, SendOptions } from './response';
import { send } from './response';

/** What GET /auth/session returns. */
export interface OperatorSession {
  readonly operator: { readonly name: string; readonly roles: readonly string[] };
  readonly expiresAt: string;
  readonly csrfToken: string;
}

/** A browser as far as signing in needs one: cookies of each origin, redirects and plain HTML forms. */
export class OperatorBrowser {
  private readonly jars = new Map<string, Map<string, string>>();

  constructor(private readonly backofficeUrl: string) {}

  /** Signs in by the provider's form; returns where the backoffice led to in the end. */
  async signIn(username: string, password: string, returnTo = '/console/'): Promise<URL> {
    const start = `${this.backofficeUrl}/auth/sign-in?returnTo=${encodeURIComponent(returnTo)}`;
    let { url, response } = await this.follow(start);
    const html = await response.text();
    if (!/<form[^>]*method="post"/.test(html)) throw new Error(`no form at ${url.href}: ${html}`);
    ({ url, response } = await this.follow(url.href, new URLSearchParams({ username, password })));
    await response.body?.cancel();
    return url;
  }

  /** A request to the backoffice with the cookies of its origin. */
  call<T>(path: string, options: SendOptions = {}): Promise<ApiResponse<T>> {
    const url = new URL(path, this.backofficeUrl);
    return send<T>(url.href, { ...options, headers: { cookie: this.cookies(url), ...options.headers } });
  }

  /** The same as the console's own page makes it. */
  async change<T>(path: string, options: SendOptions): Promise<ApiResponse<T>> {
    const { payload } = await this.call<OperatorSession>('/auth/session');
    const headers = { origin: this.backofficeUrl, 'x-csrf-token': payload.csrfToken, ...options.headers };
    return this.call<T>(path, { ...options, headers });
  }

  /** Puts a cookie into the browser, as whoever controls a sibling page might. */
  plant({ origin }: URL, pair: string): void {
    const [name = '', value = ''] = pair.split('=');
    this.jars.set(origin, (this.jars.get(origin) ?? new Map<string, string>()).set(name, value));
  }

  /** The cookies of an address, as a request carries them. */
  cookies({ origin }: URL): string {
    return [...(this.jars.get(origin) ?? [])].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  private async follow(from: string, form?: URLSearchParams): Promise<{ url: URL; response: Response }> {
    let url = new URL(from);
    let response = await this.fetch(url, form);
    while (response.status >= 300 && response.status < 400) {
      await response.body?.cancel();
      url = new URL(response.headers.get('location') ?? '', url);
      response = await this.fetch(url);
    }
    return { url, response };
  }

  private async fetch(url: URL, form?: URLSearchParams): Promise<Response> {
    const response = await fetch(url, {
      method: form ? 'POST' : 'GET',
      redirect: 'manual',
      headers: { cookie: this.cookies(url) },
      ...(form && { body: form }),
    });
    const jar = this.jars.get(url.origin) ?? new Map<string, string>();
    this.jars.set(url.origin, jar);
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === '' || /max-age=0/i.test(line)) jar.delete(name);
      else jar.set(name, value);
    }
    return response;
  }
}
