import autocannon from 'autocannon';
import { execFile } from 'node:child_process';
import { createWriteStream, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { OperatorClient } from '../clients/operator-client';
import { findRoot } from '../platform/start-platform';
import type { StartedPlatform } from '../platform/start-platform';
import { say } from './measure';
import type { BenchOptions } from './options';
import type { BenchRow } from './report';

const VARIANTS = 50_000;
const READERS = 2;
const TARGET_MS = 50;

/** The lists of the catalog that partners page through, the last pages among them. */
const lists: readonly [name: string, query: string][] = [
  ['all variants', 'variants?pageSize=100'],
  ['all variants, last page', `variants?pageSize=100&page=${VARIANTS / 100}`],
  ['available variants', 'variants?pageSize=100&availability=Available'],
  ['available variants, page 200', 'variants?pageSize=100&availability=Available&page=200'],
  ['scents with their variants', 'scents?pageSize=20'],
  ['scents by search', 'scents?search=oud'],
];

/** Catalog lists over 50,000 variants that the import command brought in, with every amount and badge of a partner's price. */
export async function benchCatalog(platform: StartedPlatform, options: BenchOptions): Promise<BenchRow[]> {
  say(`importing ${VARIANTS} variants …`);
  const seconds = await importVariants(platform);
  say(`imported in ${seconds.toFixed(1)} s`);
  // Reads everything that a price list can show.
  const settings = { displayCurrency: 'USD', marketingEnabled: true };
  const partner = await new OperatorClient(platform.description).newPartner({ settings });
  const rows: BenchRow[] = [];
  for (const [name, query] of lists) {
    const url = `${platform.description.gatewayUrl}/api/v1/scent/${query}`;
    const result = await autocannon({
      url,
      connections: READERS,
      duration: options.seconds,
      headers: { authorization: `Bearer ${await partner.sandbox.accessToken()}` },
    });
    const failures = result.non2xx + result.errors;
    const p97 = result.latency.p97_5;
    rows.push({
      work: `Catalog, ${VARIANTS} variants: ${name}`,
      target: `p95 ≤ ${TARGET_MS} ms`,
      measured: p97,
      unit: 'ms',
      yardstick: null,
      ratio: null,
      isReached: failures === 0 && p97 <= TARGET_MS,
      note: `97.5th percentile with ${READERS} connections; median ${result.latency.p50} ms, ${failures} failures`,
    });
  }
  return rows;
}

async function importVariants(platform: StartedPlatform): Promise<number> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'catalog-bench-'));
  const file = path.join(folder, 'catalog.csv');
  try {
    await writeCatalog(file);
    const startedAt = Date.now();
    const command = path.join(findRoot(), 'dist/apps/scent-commerce/import.js');
    const env = { ...process.env, DATABASE_URL: platform.description.databases['scent-commerce'] };
    await promisify(execFile)(process.execPath, [command, '--file', file], { env });
    return (Date.now() - startedAt) / 1000;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function writeCatalog(file: string): Promise<void> {
  const kinds = ['Oud', 'Rose', 'Amber', 'Musk'];
  return new Promise((resolve, reject) => {
    const out = createWriteStream(file).on('error', reject).on('finish', resolve);
    out.write(
      'brand,scent,gender,concentration,sku,sizeMl,warehouse,listPrice,cost,rrp,isSample,stockOnHand\n',
    );
    for (let index = 0; index < VARIANTS; index += 1) {
      const scent = Math.floor(index / 5);
      const name = `Bench ${kinds[scent % kinds.length]} ${scent}`;
      const cells = [
        `Bench ${scent % 200}`,
        name,
        'Unisex',
        'Eau de Parfum',
        `BENCH-${index}`,
        50,
        `BENCH-${index % 3}`,
      ];
      const price = 100 + (index % 300);
      out.write(
        `${[...cells, price, 40, index % 3 ? '' : 500, index % 5 === 0, (index * 7) % 40].join(',')}\n`,
      );
    }
    out.end();
  });
}
