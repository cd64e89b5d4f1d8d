import { execFile, execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { buildSync } from 'esbuild';
import { refuses, responds, scriptedApi } from './scripted-api';

const root = path.resolve(__dirname, '../../..');
let folder: string;
let home: string;
let packed: { files: { path: string }[] };

/** Packs the library as a partner gets it, and unpacks it where they would have it. */
beforeAll(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'partner-client-'));
  const built = path.join(folder, 'built');
  execFileSync(process.execPath, [path.join(__dirname, '../package.mjs'), built], { stdio: 'inherit' });
  const npm = ['pack', '--json', '--offline', '--ignore-scripts', '--pack-destination', folder];
  const response = JSON.parse(execFileSync('npm', npm, { cwd: built, encoding: 'utf8' })) as object;
  // npm 11 returns a list, later ones an object by name.
  packed = Object.values(response)[0] as typeof packed;
  home = path.join(folder, 'node_modules/@reseller/client');
  mkdirSync(home, { recursive: true });
  execFileSync('tar', [
    '-xzf',
    path.join(folder, 'reseller-client-1.0.0.tgz'),
    '-C',
    home,
    '--strip-components=1',
  ]);
  mkdirSync(path.join(folder, 'node_modules/@types'));
  for (const name of ['@types/node', 'undici-types'])
    symlinkSync(path.join(root, 'node_modules', name), path.join(folder, 'node_modules', name));
}, 120_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const EXPORTS = '{ createResellerClient, isResellerError, ResellerError }';
const program = (baseUrl: string) => `
  const client = createResellerClient({ baseUrl: '${baseUrl}', clientId: 'i', clientSecret: 's', decimals: 'string' });
  client.getWalletBalance()
    .then(({ availableBalance }) => process.stdout.write(availableBalance + ' '))
    .then(() => client.getWalletLimits())
    .catch((error) => process.stdout.write(error.state + ' ' + isResellerError(error, 'NOT_FOUND_WALLET')))
    .then(() => process.stdout.write(' ' + typeof verifyWebhook));`;

/** What a program prints that has the package beside it; the API it calls is in this process. */
async function run(file: string, text: string): Promise<string> {
  writeFileSync(path.join(folder, file), text);
  const { stdout } = await promisify(execFile)(process.execPath, [file], { cwd: folder });
  return stdout;
}

const bundled = (file: string) =>
  buildSync({
    entryPoints: [path.join(home, file)],
    bundle: true,
    minify: true,
    write: false,
    platform: 'browser',
    format: 'esm',
  }).outputFiles[0]?.contents as Uint8Array;

describe('the package that partners install', () => {
  it('when it is packed, then it holds code, types and README, and depends on nothing', () => {
    const files = packed.files.map((file) => file.path);
    expect(files.filter((file) => !/^(types|webhooks)\//.test(file)).sort()).toEqual(
      ['README.md', 'index.d.mts', 'index.d.ts', 'index.js', 'index.mjs', 'package.json'].sort(),
    );
    expect(files.filter((file) => /^(types|webhooks)\//.test(file) && !/\.(js|d\.ts)$/.test(file))).toEqual(
      [],
    );
    const manifest = JSON.parse(readFileSync(path.join(home, 'package.json'), 'utf8')) as object;
    expect(Object.keys(manifest).filter((key) => /dependencies/i.test(key))).toEqual([]);
  });

  it('when plain JavaScript requires or imports it, then it calls, and verifies webhooks', async () => {
    const balance = responds(200, 'SUCCESS', { currency: 'SAR', availableBalance: 9949.5 });
    const noWallet = refuses(404, 'NOT_FOUND_WALLET');
    const api = await scriptedApi(balance, noWallet, balance, noWallet, noWallet);
    try {
      const from = (name: string) => `'@reseller/client${name}'`;
      const required = `const ${EXPORTS} = require(${from('')}); const { verifyWebhook } = require(${from('/webhooks')});`;
      const imported = `import ${EXPORTS} from ${from('')}; import { verifyWebhook } from ${from('/webhooks')};`;
      const right = '9949.5 NOT_FOUND_WALLET true function';
      expect(await run('plain.cjs', required + program(api.baseUrl))).toBe(right);
      expect(await run('plain.mjs', imported + program(api.baseUrl))).toBe(right);
      const both = `import { isResellerError } from ${from('')}; import { createRequire } from 'node:module';
        const { createResellerClient } = createRequire(import.meta.url)(${from('')});
        createResellerClient({ baseUrl: '${api.baseUrl}', token: () => 't' }).getWalletLimits()
          .catch((error) => process.stdout.write(String(isResellerError(error, 'NOT_FOUND_WALLET'))));`;
      expect(await run('both.mjs', both)).toBe('true');
    } finally {
      await api.close();
    }
  });

  it('when it is bundled for a browser, then it needs nothing of Node.js and is under 15 KiB compressed', () => {
    expect(gzipSync(bundled('index.mjs')).length).toBeLessThan(15 * 1024);
  });

  it.each([
    ['typescript', 'Node16', 'Node16', 'cts'],
    ['typescript-native', 'Node16', 'Node16', 'mts'],
    ['typescript-native', 'ESNext', 'Bundler', 'ts'],
  ])(
    'when %s resolves modules as %s, %s in a .%s, then calls, errors and events are typed',
    (compiler, module, resolution, extension) => {
      const file = `typed-${resolution}.${extension}`;
      writeFileSync(path.join(folder, file), readFileSync(path.join(__dirname, 'typed-program.ts.txt')));
      const options = [
        '--strict',
        '--noEmit',
        '--target',
        'ES2022',
        '--module',
        module,
        '--moduleResolution',
        resolution,
      ];
      const tsc = [
        path.join(root, 'node_modules', compiler, 'bin/tsc'),
        ...options,
        '--types',
        'node',
        '--skipLibCheck',
        'false',
        file,
      ];
      let output = '';
      try {
        execFileSync(process.execPath, tsc, { cwd: folder, encoding: 'utf8' });
      } catch (error) {
        output = (error as { stdout: string }).stdout;
      }
      expect(output).toBe('');
    },
  );
});
