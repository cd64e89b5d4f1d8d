import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { say } from '../bench/measure';
import { OperatorClient } from '../clients/operator-client';
import { findRoot, startPlatform, type StartedPlatform } from '../platform/start-platform';
import { BUILDS } from './builds';
import { lastLines, missingTools, run, type Command, type Outcome } from './command';
import { missingFrom, operationsOf, type Document } from './contents';
import { GENERATORS } from './generators';
import type { StrangersOptions } from './options';
import { Report } from './report';
import { checkSales, DEPOSIT } from './sales';
import { STRANGERS, type Stranger } from './stranger-list';
import { warningsOf } from './warnings';

/** What a run has at hand. */
interface Run {
  readonly folder: string;
  readonly platform: StartedPlatform;
  readonly operator: OperatorClient;
  readonly document: Document;
  readonly documentFile: string;
  readonly report: Report;
  readonly signal: AbortSignal;
}

const SELLERS = 'apps/system-tests/strangers';
/** A platform that got Ctrl-C as well says so within this time. */
const SAYS_SO_MS = 1_000;

/** Sells by clients that others' generators make of the gateway's document, on a platform of its own; resolves whether all held. */
export async function runStrangers({ only, isKept }: StrangersOptions): Promise<boolean> {
  const folder = mkdtempSync(path.join(tmpdir(), 'reseller-strangers-'));
  const interrupted = new AbortController();
  const interrupt = (): void => interrupted.abort();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, interrupt);
  let platform: StartedPlatform | undefined;
  try {
    const data = path.join(folder, 'platform');
    mkdirSync(data);
    platform = await startPlatform({}, { kept: data });
    process.env.PLATFORM_JSON = platform.file;
    return await meetStrangers(only, platform, folder, interrupted.signal);
  } catch (error) {
    if (!interrupted.signal.aborted) throw error;
    say('\ninterrupted; stopping the platform …');
    return false;
  } finally {
    await stop(platform, interrupted.signal.aborted);
    if (isKept) say(`what was made is in ${folder}`);
    else rmSync(folder, { recursive: true, force: true });
  }
}

/** A second signal would end a platform at once that already stops by Ctrl-C, as all of a terminal's programs do. */
async function stop(platform: StartedPlatform | undefined, isInterrupted: boolean): Promise<void> {
  if (!platform) return;
  if (isInterrupted) {
    await pause(SAYS_SO_MS);
    while (platform.said().includes('stopping') && isRunning(platform.pid)) await pause(100);
  }
  await platform.stop();
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

async function meetStrangers(
  only: readonly string[],
  platform: StartedPlatform,
  folder: string,
  signal: AbortSignal,
): Promise<boolean> {
  const response = await fetch(`${platform.description.gatewayUrl}/api/v1/openapi.json`, { signal });
  const text = await response.text();
  const documentFile = path.join(folder, 'openapi.json');
  writeFileSync(documentFile, text);
  const document = JSON.parse(text) as Document;
  const { schemas } = document.components;
  say(`the document has ${operationsOf(document).length} calls and ${Object.keys(schemas).length} schemas\n`);
  const report = new Report();
  const operator = new OperatorClient(platform.description);
  const context: Run = { folder, platform, operator, document, documentFile, report, signal };
  const met = STRANGERS.filter(({ name }) => only.includes(name));
  for (const name of new Set(met.map(({ generator }) => generator)))
    await meetGenerator(
      name,
      met.filter(({ generator }) => generator === name),
      context,
    );
  return report.end();
}

async function meetGenerator(
  name: Stranger['generator'],
  strangers: readonly Stranger[],
  context: Run,
): Promise<void> {
  const { report, folder, signal } = context;
  const { title, tools, fetch } = GENERATORS[name];
  const missing = missingTools(tools);
  if (missing.length > 0) {
    const all = strangers.map((one) => one.name).join(', ');
    return report.skip(`${all} by ${title}`, `this machine has no ${missing.join(', ')}`);
  }
  const place = path.join(folder, 'tools', name);
  mkdirSync(place, { recursive: true });
  say(`fetching ${title} …`);
  const outcome = await runAll(fetch(place), signal);
  if (outcome.code !== 0)
    return void report.check(`${title} could be fetched`, ['it ended with:', ...lastLines(outcome)]);
  for (const stranger of strangers) await meet(stranger, place, context);
}

/** Makes one client, compiles it and lets it sell. */
async function meet(stranger: Stranger, tools: string, context: Run): Promise<void> {
  const { folder, document, documentFile, report, signal } = context;
  const { name, generator } = stranger;
  const client = path.join(folder, name, 'client');
  const built = path.join(folder, name, 'built');
  for (const each of [client, built]) mkdirSync(each, { recursive: true });
  say(`\n${name} by ${GENERATORS[generator].title} …`);
  const made = await run(
    GENERATORS[generator].make(stranger, { tools, document: documentFile, client }),
    signal,
  );
  const warnings = warningsOf(made.output);
  for (const { text, times, excuse } of warnings)
    say(`  warned ${times} ×: ${text}${excuse ? ` (${excuse})` : ''}`);
  const count = warnings.reduce((sum, { times }) => sum + times, 0);
  const ours = warnings.filter(({ excuse }) => !excuse).map(({ text }) => text);
  const faults = made.code === 0 ? [] : ['it ended with:', ...lastLines(made)];
  if (
    !report.check(`${name}: made, ${count} warnings, ${ours.length} of them about our document`, [
      ...ours,
      ...faults,
    ])
  )
    if (made.code !== 0) return;
  report.check(`${name}: all calls and schemas are in it`, missingFrom(client, document, stranger));
  const missing = missingTools(stranger.tools);
  const whatFor = stranger.seller ? 'compiles and sells' : 'compiles';
  if (missing.length > 0)
    return report.skip(`${name}: ${whatFor}`, `this machine has no ${missing.join(', ')}`);
  await buildAndSell(stranger, client, built, context);
}

async function buildAndSell(
  { name, seller = '' }: Stranger,
  client: string,
  built: string,
  { operator, platform, report, signal }: Run,
): Promise<void> {
  const bench = { client, built, seller: path.join(findRoot(), SELLERS, seller) };
  const build = BUILDS[name];
  if (!build) throw new Error(`no way to build ${name}`);
  const compiled = await runAll(build.compile(bench), signal);
  if (!report.check(`${name}: compiles`, compiled.code === 0 ? [] : lastLines(compiled)) || !build.sell)
    return;
  const partner = await operator.newPartner({ deposit: DEPOSIT });
  const command = build.sell(bench);
  const { clientId, clientSecret } = partner.credentials.sandbox;
  const env = {
    ...command.env,
    RESELLER_URL: platform.description.gatewayUrl,
    RESELLER_CLIENT_ID: clientId,
    RESELLER_CLIENT_SECRET: clientSecret,
  };
  const sold = await run({ ...command, env }, signal);
  if (report.check(`${name}: its seller runs to its end`, sold.code === 0 ? [] : lastLines(sold)))
    await checkSales(name, sold.stdout, partner.sandbox, report);
}

/** Runs one after the other, to the first that fails. */
async function runAll(commands: readonly Command[], signal: AbortSignal): Promise<Outcome> {
  let outcome: Outcome = { code: 0, stdout: '', output: '' };
  for (const command of commands) {
    outcome = await run(command, signal);
    if (outcome.code !== 0) break;
  }
  return outcome;
}
