// Follows README.md from a clone to the first order, as the page stands, and measures it: `npm run first-five-minutes`. npm's cache is a new
// one, as on a machine that has installed nothing yet. Needs git, bash and curl, and the ports that the page names.
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const MOST_COMMANDS = 5;
const MOST_SECONDS = 180;
const GIVE_UP_SECONDS = 900;

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
const home = mkdtempSync(path.join(os.tmpdir(), 'first-five-minutes-'));
const clone = path.join(home, 'platform');
const results = [];
const check = (what, isRight) => {
  results.push(isRight);
  console.log(`${isRight ? 'passed' : 'FAILED'}  ${what}`);
};

/** The commands of a section's first block; one that goes on in the next line ends with a backslash there. */
function commandsOf(page, section) {
  const [, block] = page.split(`## ${section}\n`)[1]?.match(/```bash\n([\s\S]*?)```/) ?? [];
  if (!block) throw new Error(`README.md has no commands under "${section}"`);
  const lines = block.replaceAll('\\\n', ' ').split('\n');
  return lines.map((line) => line.trim()).filter((line) => line !== '' && !line.startsWith('#'));
}

const began = performance.now();
const seconds = () => (performance.now() - began) / 1000;
let platform;
const isRunning = () => platform && platform.exitCode === null && platform.signalCode === null;
// It is in a process group of its own, which Ctrl-C does not reach.
const stop = () => isRunning() && process.kill(-platform.pid, 'SIGINT');
process.once('SIGINT', stop);
try {
  execFileSync('git', ['clone', '--quiet', root, clone]);
  const page = readFileSync(path.join(clone, 'README.md'), 'utf8');
  const [start] = commandsOf(page, 'Two commands');
  const all = commandsOf(page, 'The first top-up');
  // What comes after the order is not needed for it.
  const calls = all.slice(0, all.findIndex((command) => command.includes('/orders/topup')) + 1);
  const commands = ['git clone … && cd …', start, ...calls];
  for (const command of commands) console.log(`  $ ${command.slice(0, 100)}`);

  const env = { ...process.env, npm_config_cache: path.join(home, 'npm-cache') };
  platform = spawn('bash', ['-c', start], {
    cwd: clone,
    env,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [platform.stdout, platform.stderr]) stream.on('data', (text) => (said += text));
  while (!existsSync(path.join(clone, '.local/platform.json'))) {
    if (!isRunning() || seconds() > GIVE_UP_SECONDS)
      throw new Error(`the platform did not start:\n${said.slice(-2_000)}`);
    await sleep(200);
  }
  console.log(`  ready after ${seconds().toFixed(0)} s`);

  const script = calls.map((command) => `${command}\nprintf '\\0'`).join('\n');
  const { stdout, stderr } = spawnSync('bash', ['-c', script], { cwd: clone, encoding: 'utf8' });
  const took = seconds();
  const order = stdout.split('\0')[calls.length - 1] ?? '';
  check(
    `the first order is complete: ${order.slice(0, 120) || stderr}`,
    order.includes('"status":"Completed"'),
  );
  check(`${commands.length} commands (at most ${MOST_COMMANDS})`, commands.length <= MOST_COMMANDS);
  check(`${took.toFixed(0)} s, install included (at most ${MOST_SECONDS})`, took <= MOST_SECONDS);
} catch (error) {
  check(error.message, false);
} finally {
  if (isRunning()) {
    stop();
    await once(platform, 'exit');
  }
  rmSync(home, { recursive: true, force: true });
}
const failed = results.filter((isRight) => !isRight).length;
console.log(`${results.length - failed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;
