import path from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { FOUR_EYES_ABOVE_SAR } from '@reseller/contract-testing/contracts';
import { freePort, runBash, samplesFor } from '@reseller/testing';
import { startFinanceService, type FinanceService } from './finance-service';

const { code = '' } = samplesFor(__filename)[0] ?? {};
let finance: FinanceService;
let identity: string;
beforeAll(async () => {
  identity = `127.0.0.1:${await freePort()}`;
  finance = await startFinanceService({ IDENTITY_ADDRESS: identity, FOUR_EYES_ABOVE_SAR });
});
afterAll(() => finance.stop());

it('when the command of docs/platform/replace-a-service.md is pasted, then the service at the address is held to its contract', async () => {
  const command = code
    .trim()
    .replace(/(--address) \S+/, `$1 ${finance.address}`)
    .replace(/(--dependency identity=)\S+/, `$1${identity}`)
    .replace(/(--bus) \S+/, `$1 ${finance.bus.url}`);
  // The page names this option too; all cases run in contract.spec.ts.
  const { stdout, stderr } = await runBash(`${command} --only ReserveFunds`, {
    cwd: path.resolve(__dirname, '../../..'),
    env: { HOME: process.env['HOME'] },
  });
  expect(stdout).toContain(`holding ${finance.address} to the contract of finance`);
  expect(stderr).toMatch(/^Tests: .* [1-9]\d* passed/m);
  expect(stderr).not.toContain('failed');
}, 300_000);
