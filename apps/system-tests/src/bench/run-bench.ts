import { findRoot, startPlatform } from '../platform/start-platform';
import type { StartedPlatform } from '../platform/start-platform';
import { benchBacklog } from './backlog-rows';
import { benchBalance } from './balance-row';
import { benchCart } from './cart-rows';
import { benchCatalog } from './catalog-rows';
import { benchConsole } from './console-rows';
import { COST_GROUPS } from './cost/cost-operations';
import { benchCosts } from './cost/run-costs';
import { benchIdle } from './idle-rows';
import { benchLists } from './list-rows';
import { say } from './measure';
import { benchMemory } from './memory-rows';
import type { BenchOptions } from './options';
import { benchPolls } from './poll-rows';
import { appendHistory, describeMachine, renderTable } from './report';
import type { BenchRow } from './report';
import { benchSaga } from './saga-row';
import { benchStatement } from './statement-rows';
import { benchTopups } from './topup-rows';
import { makePartners } from './partners';
import { benchWebhooks } from './webhook-rows';

const MANY = 100;
const COLD_START_LIMIT_S = 4;
/** Groups that make their own platforms, and nothing of which needs the shared one. */
const OWN_PLATFORM = ['idle', 'polls'];
/** Groups that make their own partners. */
const OWN_PARTNERS = ['cart', 'catalog', 'statement', 'backlog', 'saga'];

/** Measures every row on a platform of its own, prints the table and appends it to the history. */
export async function runBench(options: BenchOptions): Promise<void> {
  const machine = describeMachine();
  say(`${machine.cores} cores (${machine.cpu}), ${machine.memoryGiB} GiB, Node ${machine.node}`);
  say(
    `${options.rounds} rounds of ${options.seconds} s each; memory after 1 and ${options.minutes} minutes of load`,
  );
  const rows: BenchRow[] = [];
  const isCost = options.only !== undefined && COST_GROUPS.includes(options.only);
  if (!isCost && !OWN_PLATFORM.includes(options.only ?? ''))
    rows.push(...(await benchOnOnePlatform(options)));
  if (options.only === undefined || options.only === 'idle') rows.push(...(await benchIdle()));
  if (options.only === undefined || options.only === 'polls') rows.push(...(await benchPolls()));
  if (isCost || options.only === undefined) rows.push(...(await benchCosts(options)));
  if (options.only === undefined || options.only === 'backlog') rows.push(...(await benchBacklog(options)));
  say(`\n${renderTable(rows)}\n`);
  if (options.isRecorded) say(`appended to ${appendHistory(findRoot(), rows, options)}`);
}

async function benchOnOnePlatform(options: BenchOptions): Promise<BenchRow[]> {
  const rows: BenchRow[] = [];
  const platform = await startPlatform({ ACCESS_LOG: 'off' });
  try {
    rows.push(coldStart(platform));
    const wants = (group: string): boolean => options.only === undefined || options.only === group;
    if (options.only === 'saga' || (options.only === undefined && options.installs)) {
      rows.push(await benchSaga(platform, options));
    }
    if (wants('cart')) rows.push(await benchCart(platform, options));
    if (options.only === undefined || !OWN_PARTNERS.includes(options.only)) {
      rows.push(...(await benchOrders(platform, options, wants)));
    }
    if (wants('statement') && options.lines > 0) rows.push(...(await benchStatement(platform, options)));
    // Last: nothing else is measured on a database with this much data.
    if (wants('catalog')) rows.push(...(await benchCatalog(platform, options)));
  } finally {
    await platform.stop();
  }
  return rows;
}

async function benchOrders(
  platform: StartedPlatform,
  options: BenchOptions,
  wants: (group: string) => boolean,
): Promise<BenchRow[]> {
  const rows: BenchRow[] = [];
  say('making 100 partners …');
  const partners = await makePartners(platform, MANY);
  if (wants('balance')) {
    say('reading balances …');
    rows.push(await benchBalance(platform, partners[0]!, options));
  }
  if (wants('topup')) rows.push(...(await benchTopups(platform, partners, options)));
  if (wants('lists') && options.orders > 0) {
    rows.push(...(await benchLists(platform, partners, options)));
    rows.push(...(await benchConsole(platform, options.orders)));
  }
  if (wants('webhooks')) rows.push(...(await benchWebhooks(platform, partners, options)));
  if (wants('memory') && options.minutes > 0) rows.push(...(await benchMemory(platform, partners, options)));
  return rows;
}

function coldStart(platform: StartedPlatform): BenchRow {
  const seconds = platform.readyAfterMs / 1000;
  return {
    work: 'Cold start, with empty data',
    target: `≤ ${COLD_START_LIMIT_S} s`,
    measured: seconds,
    unit: 's',
    yardstick: null,
    ratio: null,
    isReached: seconds <= COLD_START_LIMIT_S,
    note: 'until platform.json is there, seed data included',
  };
}
