// Compares everything that must agree, now, on a running platform, and prints what it found. Exit code 0: all agrees;
// 1: there are differences; 2: it could not be carried through (a service is away).
// Reads platform.json of the local platform, or BACKOFFICE_URL and OPERATOR_TOKEN.
import { readFileSync } from 'node:fs';
import path from 'node:path';

const PAGE_SIZE = 100;

function target() {
  const { BACKOFFICE_URL, OPERATOR_TOKEN, PLATFORM_DATA_DIR = '.local' } = process.env;
  if (BACKOFFICE_URL && OPERATOR_TOKEN) return { url: BACKOFFICE_URL, token: OPERATOR_TOKEN };
  const file = path.resolve(PLATFORM_DATA_DIR, 'platform.json');
  try {
    const { backofficeUrl, operatorToken } = JSON.parse(readFileSync(file, 'utf8'));
    return { url: backofficeUrl, token: operatorToken };
  } catch {
    throw new Error(`no platform runs here (${file}); start one, or set BACKOFFICE_URL and OPERATOR_TOKEN`);
  }
}

async function call({ url, token }, method, route) {
  const response = await globalThis.fetch(new URL(`/ops/v1${route}`, url), {
    method,
    headers: { authorization: `Bearer ${token}` },
  });
  const { state, payload, details } = await response.json();
  if (!response.ok) throw new Error(`${state}: ${details?.message ?? response.status}`);
  return payload;
}

function print(rows) {
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => String(row[column]).length)));
  for (const row of rows) {
    console.log(
      row
        .map((cell, column) => String(cell).padEnd(widths[column]))
        .join('  ')
        .trimEnd(),
    );
  }
}

/** A long history takes several runs, each going on where the one before ended. */
async function runToTheEnd(platform) {
  const compared = new Map();
  for (let query = ''; ;) {
    const run = await call(platform, 'POST', `/reconciliation/run${query}`);
    query = `?since=${run.since}`;
    for (const one of run.checks) {
      const name = `${one.service} ${one.check}`;
      compared.set(name, (compared.get(name) ?? 0) + one.compared);
    }
    if (run.isComplete || run.checks.some(({ failure }) => failure !== null)) return { run, compared };
    const total = [...compared.values()].reduce((sum, some) => sum + some, 0);
    console.error(`${total} compared so far, going on …`);
  }
}

async function main() {
  const platform = target();
  const { run, compared } = await runToTheEnd(platform);
  print([
    ['SERVICE', 'CHECK', 'COMPARED', 'DIFFERENCES', ''],
    ...run.checks.map((one) => [
      one.service,
      one.check,
      compared.get(`${one.service} ${one.check}`),
      one.openDifferences,
      one.failure ?? (one.isComplete ? '' : 'not complete'),
    ]),
  ]);
  if (run.openDifferences > 0) {
    const { items } = await call(platform, 'GET', `/reconciliation?open=true&pageSize=${PAGE_SIZE}`);
    console.log();
    print([
      ['CHECK', 'WHAT', 'OF', 'EXPECTED', 'FOUND', 'SINCE'],
      ...items.map((one) => [one.check, one.kind, one.subject, one.expected, one.found, one.firstSeenAt]),
    ]);
    if (run.openDifferences > PAGE_SIZE) console.log(`… and ${run.openDifferences - PAGE_SIZE} more`);
  }
  return run.openDifferences > 0 ? 1 : run.isComplete ? 0 : 2;
}

main().then(
  (code) => (process.exitCode = code),
  (error) => {
    console.error(`reconcile: ${error.message}`);
    process.exitCode = 2;
  },
);
