import { execFile, execFileSync, spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { runWithFakes, samplesFor } from '@reseller/testing';
import { receiveWebhooks } from '@reseller/webhook-receiver';
import { newTopup } from '../src/clients/bodies';
import { OperatorClient, type TestPartner } from '../src/clients/operator-client';
import { expectSuccess } from '../src/clients/response';
import { matchingText } from '../src/docs-page/docs-page';
import { readPlatformFile } from '../src/platform/platform-file';
import { findRoot } from '../src/platform/start-platform';

const run = promisify(execFile);
const samples = samplesFor(__filename);
const commands = samples
  .filter(({ language }) => language === 'console')
  .map(({ code }) => {
    const [, command = '', prints = ''] = /^\$ (.*)\n([\s\S]*)$/.exec(code) ?? [];
    return { command, prints };
  });

describe('the command line that partners install', () => {
  let folder: string;
  let env: NodeJS.ProcessEnv;
  let partner: TestPartner;
  beforeAll(async () => {
    folder = mkdtempSync(path.join(os.tmpdir(), 'command-line-'));
    execFileSync(process.execPath, [
      path.join(findRoot(), 'libs/partner-cli/package.mjs'),
      path.join(folder, 'built'),
    ]);
    // As npm installs it, so that the commands of the page can be pasted.
    writeFileSync(
      path.join(folder, 'reseller'),
      `#!/bin/sh\nexec "${process.execPath}" "${folder}/built/reseller.js" "$@"\n`,
    );
    chmodSync(path.join(folder, 'reseller'), 0o755);
    const platform = readPlatformFile();
    partner = await new OperatorClient(platform).newPartner({ deposit: 1_000 });
    const { clientId, clientSecret } = partner.credentials.sandbox;
    env = {
      PATH: `${folder}${path.delimiter}${process.env['PATH']}`,
      XDG_CONFIG_HOME: path.join(folder, 'config'),
      XDG_CACHE_HOME: path.join(folder, 'cache'),
      BASE: platform.gatewayUrl,
      CLIENT_ID: clientId,
      CLIENT_SECRET: clientSecret,
    };
    await run('sh', ['-c', commands[0]?.command ?? ''], { env });
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test('when the commands of its page are pasted one after the other, then each prints what stands under it', async () => {
    for (const { command, prints } of commands) {
      const { stdout, stderr } = await run('sh', ['-c', command], { env });
      expect(`${stderr}${stdout}`.trim()).toEqual(matchingText(prints));
    }
  });

  test('when the README says how to begin, then with the package of this name, and with commands that there are', async () => {
    const { code } = samples.find(({ language }) => language === 'sh')!;
    const { calls } = await runWithFakes(code, { fakes: { npm: '', reseller: '' } });
    const { name } = JSON.parse(readFileSync(path.join(folder, 'built/package.json'), 'utf8')) as {
      name: string;
    };
    const { stdout: help } = await run('reseller', ['--help'], { env });
    const [install, ...begun] = calls;
    expect(install).toEqual(['npm', 'install', '--global', name]);
    for (const [program, command] of begun) {
      expect(program).toBe('reseller');
      expect(help).toMatch(new RegExp(`^  ${command}\\b`, 'm'));
    }
  });

  test.each([
    [2, ['orders', 'topup'], {}],
    [2, ['wallet', '--profile', 'nobody'], {}],
    [3, ['cart', 'add', 'no-uuid'], {}],
    [4, ['wallet'], { RESELLER_CLIENT_SECRET: 'wrong' }],
    [5, ['orders', 'get', 'TU-none'], {}],
    [7, ['orders', 'topup', '--reference', 'much', '--phone', '+966501234567', '--amount', '99999'], {}],
    [8, ['wallet'], { RESELLER_BASE_URL: 'http://127.0.0.1:9' }],
  ])(
    'when a command ends in an error, then its exit code says of which class: %d for %j',
    async (code, args, changed) => {
      const given = {
        RESELLER_BASE_URL: env['BASE'],
        RESELLER_CLIENT_ID: env['CLIENT_ID'],
        RESELLER_CLIENT_SECRET: env['CLIENT_SECRET'],
      };
      const ended = run('reseller', ['--json', ...args], { env: { ...env, ...given, ...changed } });
      await expect(ended).rejects.toMatchObject({ code, stdout: '' });
    },
  );

  test('when who reads a list has enough, then the command ends without an error', async () => {
    // More than a pipe holds, so that it writes on after the reader has gone.
    const text = 'reseller --json catalog variants --all | head -1';
    const { stdout, stderr } = await run('bash', ['--norc', '-o', 'pipefail', '-c', text], { env });
    expect([stdout.trim().split('\n').length, stderr]).toEqual([1, '']);
  });

  test('when a file is to be reconciled, then the help names the columns that the API wants', async () => {
    const { stdout } = await run('reseller', ['reconcile', '--help'], { env });
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain('names externalReference, amount and status');
    const file = path.join(folder, 'orders.csv');
    writeFileSync(file, 'externalReference,amount,status\n');
    const period = ['--from', '2026-01-01T00:00:00Z', '--to', '2026-01-02T00:00:00Z'];
    const reconciled = await run('reseller', ['reconcile', file, '--product', 'Topup', ...period], { env });
    expect(reconciled.stdout).toMatch(/^0 rows, 0 the same, 0 differences/);
  });

  test('when it listens, then a receiver on this machine gets what happens from then on to whom it acts for, signed with the secret it printed', async () => {
    const operator = new OperatorClient(readPlatformFile());
    const child = await operator.newPartner({ deposit: 100, settings: { parentPartnerId: partner.id } });
    await child.sandbox.topup(newTopup({ amount: 5 }));
    const received: string[] = [];
    let secret = '';
    const receiver = receiveWebhooks({
      secret: () => secret,
      handle: ({ data }) => void received.push('externalReference' in data ? data.externalReference : ''),
    });
    const types: unknown[] = [];
    const server = createServer((request, response) => {
      types.push(request.headers['x-service-event-type']);
      void receiver(request, response);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const args = ['--json', '--on-behalf-of', child.id, 'webhooks', 'listen', '--forward', url];
    const listening = spawn('reseller', args, { env });
    try {
      const body = newTopup({ amount: 5 });
      const closed = new Promise((resolve) => listening.once('close', resolve));
      const lines = createInterface({ input: listening.stdout })[Symbol.asyncIterator]();
      const next = async () => JSON.parse((await lines.next()).value as string) as Record<string, string>;
      ({ secret = '' } = await next());
      expect(await next()).toEqual({ listening: url });
      expectSuccess(await partner.sandbox.topup(newTopup({ amount: 5 })));
      expectSuccess(await child.sandbox.topup(body));
      expect(await next()).toMatchObject({ eventType: 'order.completed', result: '204' });
      expect([received, types]).toEqual([[body.externalReference], ['order.completed']]);
      listening.kill('SIGINT');
      expect(await closed).toBe(0);
    } finally {
      listening.kill('SIGKILL');
      server.close();
    }
  });
});
