import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { execFile, execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

const script = path.resolve(__dirname, '../install-packages.mjs');
const name = '@example/part';
let folder: string;
let archive: Buffer;
let registry: Server;
let requests: string[];
let archivesAt: string;

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'install-'));
  writeFileSync(path.join(folder, 'package.json'), JSON.stringify({ name, version: '1.0.0' }));
  const file = execFileSync('npm', ['pack', '--silent'], { cwd: folder, encoding: 'utf8' }).trim();
  archive = readFileSync(path.join(folder, file));
  registry = createServer((request, response) => {
    requests.push(request.url ?? '');
    if (request.url === archivesAt) return void response.end(archive);
    if (decodeURIComponent(request.url ?? '') !== `/${name}`) return void response.writeHead(404).end();
    const { port } = registry.address() as AddressInfo;
    const dist = { tarball: `http://127.0.0.1:${port}${archivesAt}`, integrity };
    response.end(JSON.stringify({ name, versions: { '1.0.0': { name, version: '1.0.0', dist } } }));
  }).listen(0, '127.0.0.1');
  await once(registry, 'listening');
  const integrity = `sha512-${createHash('sha512').update(archive).digest('base64')}`;
  const root = { name: 'all', version: '1.0.0', dependencies: { [name]: '1.0.0' } };
  writeFileSync(path.join(folder, 'package.json'), JSON.stringify(root));
  const packages = { '': root, [`node_modules/${name}`]: { version: '1.0.0', integrity } };
  writeFileSync(
    path.join(folder, 'package-lock.json'),
    JSON.stringify({ name: 'all', version: '1.0.0', lockfileVersion: 3, requires: true, packages }),
  );
});
afterAll(() => {
  registry.close();
  rmSync(folder, { recursive: true, force: true });
});

async function install(): Promise<string> {
  requests = [];
  const { port } = registry.address() as AddressInfo;
  const env = {
    npm_config_registry: `http://127.0.0.1:${port}/`,
    npm_config_cache: path.join(folder, 'cache'),
  };
  rmSync(env.npm_config_cache, { recursive: true, force: true });
  const code = `import { installPackages } from ${JSON.stringify(script)}; process.exitCode = installPackages('.', { ...process.env, ...${JSON.stringify(env)} }).status;`;
  const { stdout } = await promisify(execFile)('node', ['--input-type=module', '-e', code], { cwd: folder });
  expect(
    JSON.parse(readFileSync(path.join(folder, 'node_modules', name, 'package.json'), 'utf8')),
  ).toMatchObject({ name });
  return stdout;
}

test('when the registry keeps archives where registries do, then nothing else is requested', async () => {
  archivesAt = `/${name}/-/part-1.0.0.tgz`;
  await install();
  expect(requests).toEqual([archivesAt]);
});

test('when it keeps them elsewhere, then each package is looked up', async () => {
  archivesAt = '/files/part.tgz';
  expect(await install()).toMatch(/not by the usual addresses \(npm error .*404/);
  expect(requests.slice(-2).map(decodeURIComponent)).toEqual([`/${name}`, archivesAt]);
});
