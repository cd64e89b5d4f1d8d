import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, mkdirSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { docExamples } from './doc-examples';
import { vectors } from './vectors';

const root = path.resolve(__dirname, '../../..');
let folder: string;
let packed: { files: { path: string }[] };

/** Packs the library as a partner gets it, and unpacks it where they would have it. */
beforeAll(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'webhook-receiver-'));
  const built = path.join(folder, 'built');
  execFileSync(process.execPath, [path.join(__dirname, '../package.mjs'), built], { stdio: 'inherit' });
  const npm = ['pack', '--json', '--offline', '--ignore-scripts', '--pack-destination', folder];
  const response = JSON.parse(execFileSync('npm', npm, { cwd: built, encoding: 'utf8' })) as unknown;
  // npm 11 returns a list, later ones an object by name.
  packed = Object.values(response as object)[0] as typeof packed;
  const tarball = path.join(folder, 'partner-reseller-webhook-receiver-1.0.0.tgz');
  const home = path.join(folder, 'node_modules/partner-reseller-webhook-receiver');
  mkdirSync(home, { recursive: true });
  execFileSync('tar', ['-xzf', tarball, '-C', home, '--strip-components=1']);
  mkdirSync(path.join(folder, 'node_modules/@types'));
  for (const name of ['@types/node', 'undici-types'])
    symlinkSync(path.join(root, 'node_modules', name), path.join(folder, 'node_modules', name));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs a program beside the unpacked package. */
function run(file: string, text: string): string {
  writeFileSync(path.join(folder, file), text);
  return execFileSync(process.execPath, [file], { cwd: folder, encoding: 'utf8' });
}

const verifyFirstVector = `
  const { secrets, headers, body, now } = ${JSON.stringify(vectors[0])};
  const options = { secret: secrets, headers, rawBody: body, now: new Date(now * 1000) };
  process.stdout.write(verifyWebhook(options).eventType);
  try { verifyWebhook({ ...options, rawBody: body + ' ' }); }
  catch (error) { process.stdout.write(error instanceof WebhookVerificationError ? ' ' + error.reason : String(error)); }
  process.stdout.write(' ' + typeof receiveWebhooks + ' ' + typeof MemoryDeduper);`;
const names = '{ verifyWebhook, WebhookVerificationError, receiveWebhooks, MemoryDeduper }';
const right = 'order.completed signature-mismatch function function';

describe('the package that partners install', () => {
  it('when it is packed, then it holds the compiled library with its types and README, and nothing else', () => {
    const parts = ['deduper', 'events', 'index', 'read-body', 'receive-webhooks', 'verification-error'];
    const modules = [...parts, 'verify-webhook'].flatMap((name) => [`${name}.js`, `${name}.d.ts`]);
    const expected = [...modules, 'README.md', 'package.json'];
    expect(packed.files.map((file) => file.path).sort()).toEqual(expected.sort());
    const text = readFileSync(
      path.join(folder, 'node_modules/partner-reseller-webhook-receiver/package.json'),
      'utf8',
    );
    expect(Object.keys(JSON.parse(text) as object)).not.toContain('dependencies');
  });

  it('when plain JavaScript requires or imports it, then it verifies', () => {
    const from = 'partner-reseller-webhook-receiver';
    expect(run('plain.cjs', `const ${names} = require('${from}');${verifyFirstVector}`)).toBe(right);
    expect(run('plain.mjs', `import ${names} from '${from}';${verifyFirstVector}`)).toBe(right);
  });

  it('when events are written down as the docs show them, then the types take every field and miss none', () => {
    const literals = Object.values(docExamples()).map((example) => JSON.stringify(example));
    const types = readFileSync(path.join(__dirname, '../src/events.ts'), 'utf8');
    expect(literals).toHaveLength(types.match(/= Envelope</g)?.length ?? 0);
    const used = `import type { WebhookEvent } from 'partner-reseller-webhook-receiver';
      import { receiveWebhooks } from 'partner-reseller-webhook-receiver';
      export const events: WebhookEvent[] = [${literals.join(',\n')}];
      export const middleware = receiveWebhooks({ secret: 's', handle: (event) => {
        if (event.eventType === 'order.fulfilment-updated') event.data.deliveryRollup.totalGroups.toFixed();
      } });`;
    writeFileSync(path.join(folder, 'typed.ts'), used);
    const options = ['--strict', '--noEmit', '--target', 'ES2022', '--module', 'Node16', '--types', 'node'];
    const tsc = path.join(root, 'node_modules/typescript/bin/tsc');
    const check = () =>
      execFileSync(process.execPath, [tsc, ...options, '--skipLibCheck', 'false', 'typed.ts'], {
        cwd: folder,
        encoding: 'utf8',
      });
    expect(check()).toBe('');
  });
});
