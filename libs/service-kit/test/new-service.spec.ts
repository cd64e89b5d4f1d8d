import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createTestDatabase, eventually, freePort, type TestDatabase } from '@reseller/testing';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const root = path.resolve(__dirname, '../../..');
const tsc = path.join(root, 'node_modules/typescript-native/bin/tsc');
const left = /(^|\/)(node_modules|dist|reports|generated|gen|\.nx|\.git|\.local[^/]*|\.secrets)(\/|$)/;
const parts = ['apps', 'libs', 'proto', 'deploy', 'package.json', 'docker-compose.yml', 'tsconfig.base.json'];

describe('a service made by `npm run new-service`', () => {
  let copy: string;
  let database: TestDatabase;
  const run = (command: string, args: string[], folder = ''): string =>
    execFileSync(command, args, {
      cwd: path.join(copy, folder),
      encoding: 'utf8',
      env: { ...process.env, PATH: `${root}/node_modules/.bin:${process.env['PATH']}` },
    });
  const text = (file: string): string => readFileSync(path.join(copy, file), 'utf8');

  beforeAll(async () => {
    copy = mkdtempSync(path.join(tmpdir(), 'new-service-'));
    for (const part of [...parts, '.oxfmtrc.json'])
      cpSync(path.join(root, part), path.join(copy, part), {
        recursive: true,
        filter: (file) => !left.test(path.relative(root, file)),
      });
    symlinkSync(path.join(root, 'node_modules'), path.join(copy, 'node_modules'));
    database = await createTestDatabase();
    run('node', ['libs/toolchain/new-service.mjs', 'gift-card']);
  });
  afterAll(async () => {
    await database.drop();
    rmSync(copy, { recursive: true, force: true });
  });

  it('when it is made, then it has the form of the others: contract, types and imports hold', () => {
    const formatted = ['apps/gift-card', 'proto', 'deploy/src'];
    expect(run('oxfmt', ['--list-different', ...formatted])).toBe('');
    expect(run('buf', ['lint', 'proto'])).toBe('');
    run('buf', ['generate'], 'proto');
    run('node', ['libs/toolchain/prisma-generate.mjs', 'gift-card']);
    expect(run('node', [tsc, '-p', 'apps/gift-card/tsconfig.json'])).toBe('');
  });

  it('when it is made, then it is deployed, started with the others and measured', () => {
    run('node', ['--disable-warning=MODULE_TYPELESS_PACKAGE_JSON', 'deploy/src/render.ts']);
    expect(existsSync(path.join(copy, 'deploy/kubernetes/base/gift-card.yaml'))).toBe(true);
    expect(existsSync(path.join(copy, 'deploy/kubernetes/migrations/gift-card.yaml'))).toBe(true);
    expect(text('apps/local-platform/src/services.ts').match(/'gift-card'/g)).toHaveLength(2);
    expect(text('deploy/monitoring/prometheus.yml')).toContain(' gift-card,');
  });

  it('when it is bundled and started, then it migrates its database, is ready and shows its metrics', async () => {
    run('node', ['libs/toolchain/bundle.mjs', 'gift-card']);
    const [grpc, http] = [await freePort(), await freePort()];
    const settings = { GRPC_PORT: String(grpc), HTTP_PORT: String(http), MIGRATE_ON_START: 'true' };
    const env = { PATH: process.env['PATH'], NODE_ENV: 'test', DATABASE_URL: database.url, ...settings };
    const child = spawn(process.execPath, ['dist/apps/gift-card/main.js'], {
      cwd: copy,
      env,
      stdio: 'ignore',
    });
    const exited = once(child, 'exit');
    await eventually(async () => {
      expect((await fetch(`http://127.0.0.1:${http}/readyz`)).status).toBe(200);
    });
    const metrics = await fetch(`http://127.0.0.1:${http}/metrics`);
    expect(await metrics.text()).toContain('service="gift-card"');
    const tables = await database.pool.query("SELECT to_regclass('gift_cards') IS NOT NULL AS found");
    expect(tables.rows).toEqual([{ found: true }]);
    child.kill('SIGTERM');
    expect(await exited).toEqual([0, null]);
  });
});
