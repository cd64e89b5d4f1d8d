import { ConsoleBrowser, missingBrowser } from '../clients/console-browser';
import type { StartedPlatform } from '../platform/start-platform';
import { say } from './measure';
import type { BenchRow } from './report';
import { percentile } from '../percentile';

const READY_LIMIT_MS = 1_000;
const TASK_LIMIT_MS = 100;
const TIMES = 5;

/** Pages, and what shows that one can be worked with. */
const PAGES = [
  { name: 'overview', path: '/overview?environment=live', shown: 'a[aria-label^="Orders: "]' },
  { name: 'list of orders', path: '/orders?environment=live', shown: 'tbody tr:nth-child(50) a' },
] as const;

/** Runs in the page before its own scripts. */
const WATCH_TASKS = `
  globalThis.longestTaskMs = 0;
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) longestTaskMs = Math.max(longestTaskMs, duration);
  }).observe({ type: 'longtask' });
`;

/**
 * How long a page of the console takes in a browser that has nothing of it yet, from its address until it shows what it has read, and for
 * how long its scripts held the page at most; the median of five each.
 */
export async function benchConsole(platform: StartedPlatform, orders: number): Promise<BenchRow[]> {
  if (missingBrowser) {
    say(`the console is left out: ${missingBrowser}`);
    return [];
  }
  const browser = await ConsoleBrowser.start(platform.description);
  try {
    const rows: BenchRow[] = [];
    for (const { name, path, shown } of PAGES) {
      const page = await browser.signedIn('viewer', path);
      const network = await page.context().newCDPSession(page);
      await network.send('Network.setCacheDisabled', { cacheDisabled: true });
      await page.addInitScript({ content: WATCH_TASKS });
      const ready: number[] = [];
      const tasks: number[] = [];
      for (let time = 0; time < TIMES; time += 1) {
        await page.reload({ waitUntil: 'commit' });
        await page.locator(shown).first().waitFor();
        ready.push(await page.evaluate(() => performance.now()));
        tasks.push(await page.evaluate<number>('longestTaskMs'));
      }
      const work = `Console with ${orders} orders, ${name}`;
      rows.push(
        toRow(`${work}: until it shows what it has`, READY_LIMIT_MS, percentile(ready, 0.5)),
        toRow(`${work}: longest task of its main thread`, TASK_LIMIT_MS, percentile(tasks, 0.5)),
      );
      await page.close();
    }
    return rows;
  } finally {
    await browser.stop();
  }
}

const toRow = (work: string, limit: number, measured: number): BenchRow => ({
  work,
  target: `≤ ${limit} ms`,
  measured,
  unit: 'ms',
  yardstick: null,
  ratio: null,
  isReached: measured <= limit,
  note: 'nothing of it cached',
});
