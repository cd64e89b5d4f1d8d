import { describe, expect, test } from '@jest/globals';
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { OperatorClient } from '../src/clients/operator-client';
import { readPlatformFile } from '../src/platform/platform-file';

const platform = readPlatformFile();
const operator = new OperatorClient(platform);
const repository = path.join(__dirname, '../../..');

interface Ended {
  readonly code: number;
  readonly said: string;
}

/** Runs `npm run verify-audit` on an export. */
function verify(lines: readonly string[], ...options: string[]): Promise<Ended> {
  return new Promise((resolve) => {
    const args = ['libs/toolchain/verify-audit.mjs', '-', ...options];
    const child = execFile(process.execPath, args, { cwd: repository }, (error, out, err) =>
      resolve({ code: error ? Number(error.code) : 0, said: out + err }),
    );
    child.stdin?.end(lines.join('\n'));
  });
}

async function exported(query = ''): Promise<string[]> {
  const response = await fetch(`${platform.backofficeUrl}/ops/v1/audit/export${query}`, {
    headers: { authorization: `Bearer ${platform.operatorToken}` },
  });
  expect(response.headers.get('content-type')).toBe('application/x-ndjson');
  return (await response.text()).split('\n').filter((line) => line !== '');
}

const read = (line: string | undefined) =>
  JSON.parse(line ?? '{}') as Record<string, string> & { sequence: number };

describe('the chain of the audit (spec §18.4)', () => {
  test('when it is exported, then it verifies; changed, cut out or cut off, the first broken entry is named', async () => {
    const from = new Date().toISOString();
    const partner = await operator.newPartner({ deposit: 0 });
    const body = { environment: 'sandbox', amount: 3.1, notes: 'Ω', idempotencyKey: randomUUID() };
    await operator.call(`/partners/${partner.id}/wallet/credit`, { body });
    const wallet = await operator.call<{ id: string }>(`/partners/${partner.id}/wallet?environment=sandbox`);
    const requestId = wallet.headers.get('x-request-id');
    const lines = await exported();
    const shown = lines.map(read).find((entry) => entry['requestId'] === requestId);
    expect(shown).toMatchObject({ action: 'wallet.read', subject: wallet.payload.id, partnerId: partner.id });
    expect(read(lines[0])).toMatchObject({ sequence: 1, previousHash: '0'.repeat(64), service: 'identity' });
    expect(await verify(lines)).toMatchObject({
      code: 0,
      said: expect.stringContaining(`${lines.length} entries`),
    });
    expect((await verify(await exported(`?from=${from}`), '--from', from)).code).toBe(0);

    const at = lines.length - 2;
    const [broken, after, last] = [read(lines[at]), read(lines[at + 1]), read(lines.at(-1))];
    const changed = lines.with(at, JSON.stringify({ ...broken, operator: 'Mallory' }));
    expect(await verify(changed)).toMatchObject({
      code: 1,
      said: expect.stringContaining(`${broken['id']}: `),
    });
    const cutOut = lines.toSpliced(at, 1);
    expect(await verify(cutOut)).toMatchObject({
      code: 1,
      said: expect.stringContaining(`${after['id']}: `),
    });
    const head = ['--head', `${last.sequence}:${last['hash']}`];
    expect((await verify(lines, ...head)).code).toBe(0);
    expect((await verify(lines.slice(0, -1), ...head)).code).toBe(1);
    const rewritten = ['--head', `${last.sequence}:${'0'.repeat(64)}`];
    expect((await verify(lines, ...rewritten, ...head)).code).toBe(1);
    expect((await verify([])).code).toBe(2);
    expect(await verify(['null'])).toMatchObject({
      code: 2,
      said: expect.stringContaining('no entry of an export: null'),
    });
  });
});
