// Packs the client, installs it beside Node.js 18, 20, 22, 24, Deno and Bun from npm in an empty project, and has each of them make
// calls with it: `npm run client-runtimes`. Ends in "N passed, N failed".
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const here = path.dirname(fileURLToPath(import.meta.url));
const RUNTIMES = [
  { name: 'Node.js 18', install: 'node18@npm:node@18', command: 'node_modules/node18/bin/node' },
  { name: 'Node.js 20', install: 'node20@npm:node@20', command: 'node_modules/node20/bin/node' },
  { name: 'Node.js 22', install: 'node22@npm:node@22', command: 'node_modules/node22/bin/node' },
  { name: 'Node.js 24', install: 'node24@npm:node@24', command: 'node_modules/node24/bin/node' },
  { name: 'Deno', install: 'deno@2', command: 'node_modules/.bin/deno', args: ['run', '--allow-all'] },
  { name: 'Bun', install: 'bun@1', command: 'node_modules/.bin/bun', args: ['run'] },
];

/** An API of two wallets: the first response is lost, and the second partner has none. */
function openApi() {
  let lost = false;
  const server = createServer((request, response) => {
    const respond = (status, body) =>
      response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
    if (request.url.endsWith('/auth/token'))
      return respond(200, { state: 'SUCCESS', payload: { accessToken: 't', expiresIn: 300 } });
    if (request.url.endsWith('/wallet/limits'))
      return respond(404, {
        state: 'NOT_FOUND_WALLET',
        payload: null,
        details: { message: 'None.', requestId: 'r' },
      });
    lost = !lost;
    if (lost) return response.destroy();
    return respond(200, { state: 'SUCCESS', payload: { currency: 'SAR', availableBalance: 9949.5 } });
  });
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)));
}

const program = (port) => `
import { createResellerClient, isResellerError } from '@reseller/client';
import { verifyWebhook } from '@reseller/client/webhooks';
const client = createResellerClient({ baseUrl: 'http://127.0.0.1:${port}', clientId: 'i', clientSecret: 's', decimals: 'string' });
const { availableBalance } = await client.getWalletBalance();
const error = await client.getWalletLimits().catch((thrown) => thrown);
console.log(availableBalance, isResellerError(error, 'NOT_FOUND_WALLET'), typeof verifyWebhook);
`;

/** What a runtime printed, or how it failed. It must not hold this process up, in which the API is. */
function outputOf({ command, args = [] }, folder, file) {
  return new Promise((resolve) => {
    const child = spawn(path.join(folder, command), [...args, file], { cwd: folder, timeout: 60_000 });
    let text = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (text += chunk));
    child.on('error', (error) => resolve(String(error)));
    child.on('close', () => resolve(text.trim()));
  });
}

const folder = mkdtempSync(path.join(os.tmpdir(), 'client-runtimes-'));
const server = await openApi();
let failed = 0;
try {
  const npm = (args, cwd) =>
    execFileSync('npm', args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
  execFileSync(process.execPath, [path.join(here, 'package.mjs'), path.join(folder, 'built')], {
    stdio: 'inherit',
  });
  const tarball = npm(['pack', '--silent', '--pack-destination', folder], path.join(folder, 'built')).trim();
  writeFileSync(path.join(folder, 'package.json'), '{"private":true}');
  npm(
    [
      'install',
      '--silent',
      '--no-audit',
      '--no-fund',
      `./${tarball}`,
      ...RUNTIMES.map(({ install }) => install),
    ],
    folder,
  );
  writeFileSync(path.join(folder, 'program.mjs'), program(server.address().port));
  for (const runtime of RUNTIMES) {
    const output = await outputOf(runtime, folder, 'program.mjs');
    const passed = output === '9949.5 true function';
    if (!passed) failed += 1;
    console.log(`${passed ? 'passed' : 'failed'} ${runtime.name}${passed ? '' : `: ${output}`}`);
  }
} finally {
  server.close();
  rmSync(folder, { recursive: true, force: true });
}
console.log(`${RUNTIMES.length - failed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;
