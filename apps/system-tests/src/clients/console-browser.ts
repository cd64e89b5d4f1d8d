import { existsSync } from 'node:fs';
import { source as axe } from 'axe-core';
import {
  chromium,
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  type Page,
} from 'playwright-core';
import type { PlatformDescription } from '../platform/platform-file';
import { OperatorBrowser } from './operator-browser';

/** Where Debian has its Chromium; the one without windows takes half the processor time. */
const INSTALLED = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'];
const CHROMIUM = process.env.CHROMIUM ?? INSTALLED.find((file) => existsSync(file)) ?? INSTALLED[0] ?? '';

/** Why no browser can be started here; undefined where one can. */
export const missingBrowser = existsSync(CHROMIUM)
  ? undefined
  : `there is no ${CHROMIUM}: install Debian's chromium-headless-shell, or name one in CHROMIUM`;

type Cookie = Parameters<BrowserContext['addCookies']>[0][number];
/** What the backoffice calls the cookie of a session. */
const SESSION = '__Host-operator-session';

/** What axe calls a fault that keeps people out. */
const SERIOUS = ['serious', 'critical'];

/** A browser in which operators work with the console, and partners read the documentation. */
export class ConsoleBrowser {
  /** What the pages were refused by their content security policy, and what they threw. */
  readonly faults: string[] = [];
  private readonly operators = new Map<string, BrowserContext>();

  private constructor(
    private readonly browser: Browser,
    private readonly platform: PlatformDescription,
  ) {}

  static async start(platform: PlatformDescription): Promise<ConsoleBrowser> {
    // Tests run as root in containers, where Chromium's own sandbox does not start.
    const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
    return new ConsoleBrowser(browser, platform);
  }

  /** A page of the console in which the operator of a role is signed in. Pages of a role share a session, and load the console once. */
  async signedIn(role: string, path: string): Promise<Page> {
    const context = this.operators.get(role) ?? (await this.newContext());
    this.operators.set(role, context);
    const url = this.platform.backofficeUrl;
    const cookies = await context.cookies(url);
    if (!cookies.some(({ name }) => name === SESSION)) await context.addCookies([await this.session(role)]);
    const page = await this.newPage(context);
    await page.goto(`${url}/console${path}`);
    await page.getByRole('navigation', { name: 'Navigation' }).waitFor();
    return page;
  }

  /** What the operator of a role types into the provider's form, on a page that shows the way in. */
  async signIn(page: Page, role: string): Promise<void> {
    const { username, password } = this.operator(role);
    await page.getByRole('link', { name: 'Sign in' }).click();
    await page.locator('input[name=username]').fill(username);
    await page.locator('input[name=password]').fill(password);
    await page.locator('input[name=password]').press('Enter');
    await page.getByRole('navigation', { name: 'Navigation' }).waitFor();
  }

  /** A page of the gateway in a browser of its own, as wide as a telephone or a laptop. */
  async visited(path: string, width: number): Promise<Page> {
    const page = await this.newPage(await this.newContext({ viewport: { width, height: 850 } }));
    page.on('request', (request) => {
      const url = request.url();
      if (!/^(data|blob):/.test(url) && !url.startsWith(this.platform.gatewayUrl))
        this.faults.push(`${url} is requested of somebody else`);
    });
    await page.goto(this.platform.gatewayUrl + path, { waitUntil: 'networkidle' });
    return page;
  }

  private operator(role: string): PlatformDescription['operators'][number] {
    const operator = this.platform.operators.find((one) => one.role === role);
    if (!operator) throw new Error(`the platform has no operator of role ${role}`);
    return operator;
  }

  /** A new session as the browser keeps it; without a browser, to which each sign-in is three pages more. */
  private async session(role: string): Promise<Cookie> {
    const { backofficeUrl } = this.platform;
    const browser = new OperatorBrowser(backofficeUrl);
    const { username, password } = this.operator(role);
    await browser.signIn(username, password);
    const [name = '', value = ''] = browser.cookies(new URL(backofficeUrl)).split('=');
    // As from https, without which the protocol takes no such name; the browser trusts its own machine as much.
    const url = backofficeUrl.replace('http:', 'https:');
    return { name, value, url, secure: true, httpOnly: true, sameSite: 'Strict' };
  }

  /** A browser of its own, as far as pages can tell. */
  private newContext(options: BrowserContextOptions = {}): Promise<BrowserContext> {
    // What moves costs a core where nothing but the processor draws.
    return this.browser.newContext({ reducedMotion: 'reduce', ...options });
  }

  /** A page whose faults are kept. */
  private async newPage(context: BrowserContext): Promise<Page> {
    const page = await context.newPage();
    page.setDefaultTimeout(60_000);
    page.on('pageerror', ({ message }) => this.faults.push(message));
    page.on('console', (line) => {
      if (/content security policy/i.test(line.text())) this.faults.push(line.text());
    });
    return page;
  }

  /** Closes every page, so that none goes on following changes beside the next test. */
  async closePages(): Promise<void> {
    const signedIn = new Set(this.operators.values());
    for (const context of this.browser.contexts()) {
      if (!signedIn.has(context)) await context.close();
      else for (const page of context.pages()) await page.close();
    }
  }

  async stop(): Promise<void> {
    await this.browser.close();
  }
}

/** What keeps people out of a page as it is now, by axe's rules. */
export async function barriersOf(page: Page): Promise<string[]> {
  // It is half a megabyte of script, which a page that was looked at before has already.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe);
  const violations = await page.evaluate(async () => {
    interface Violation {
      readonly id: string;
      readonly impact: string | null;
      readonly nodes: readonly { readonly html: string }[];
    }
    const { axe: loaded } = globalThis as unknown as {
      axe: { run(options: object): Promise<{ violations: Violation[] }> };
    };
    // Nothing else of its results is read.
    return (await loaded.run({ resultTypes: ['violations'], selectors: false })).violations.map(
      ({ id, impact, nodes }) => ({
        ...{ id, impact, nodes: nodes.map(({ html }) => html.slice(0, 200)) },
      }),
    );
  });
  return violations
    .filter(({ impact }) => SERIOUS.includes(impact ?? ''))
    .map(({ id, nodes }) => `${id}: ${nodes.join(' ')}`);
}
