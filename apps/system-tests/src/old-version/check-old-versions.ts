import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { say } from '../bench/measure';
import { startPlatform } from '../platform/start-platform';
import { buildOldVersion, findOldVersion, type OldVersion } from './build-old-version';
import { smoke } from './smoke';

const SERVICES = ['identity', 'finance', 'orders-saga', 'scent-commerce', 'notifier'];

/** Which services, and of which commit; without one, before the newest migration of each. */
interface OldVersionOptions {
  readonly services: readonly string[];
  readonly commit: string | undefined;
}

/** Reads the command line: --service=notifier --commit=1a2b3c4. */
export function parseOldVersionOptions(args: string[]): OldVersionOptions {
  const { values } = parseArgs({
    args,
    options: { service: { type: 'string', default: SERVICES.join(',') }, commit: { type: 'string' } },
  });
  const services = values.service.split(',');
  const unknown = services.filter((name) => !SERVICES.includes(name));
  if (unknown.length > 0)
    throw new Error(`--service takes ${SERVICES.join(', ')}, not ${unknown.join(', ')}`);
  return { services, commit: values.commit };
}

/**
 * For each service, or the one given: builds it as it was before its newest migration (or as of --commit), runs it with
 * today's other services on today's schema, and reports what still works. Returns whether everything does.
 */
export async function checkOldVersions({ services, commit }: OldVersionOptions): Promise<boolean> {
  let failed = 0;
  for (const service of services) {
    if (!(await checkOldVersion(findOldVersion(service, commit)))) failed += 1;
  }
  say(`\n${services.length - failed} passed, ${failed} failed`);
  return failed === 0;
}

async function checkOldVersion(old: OldVersion): Promise<boolean> {
  say(`\n${old.service} of ${old.commit} on the schema of today (${old.migration})`);
  const work = mkdtempSync(path.join(tmpdir(), 'reseller-old-'));
  try {
    const apps = buildOldVersion(old, work);
    const kept = path.join(work, 'platform');
    // Today's version makes the schema and the seed data, as the migration job does before a rollout.
    await (await startPlatform({}, { kept })).stop();
    const platform = await startPlatform({}, { kept, apps });
    process.env.PLATFORM_JSON = platform.file;
    const results = await smoke(platform.description).finally(() => platform.stop());
    for (const { what, fault } of results)
      say(fault === undefined ? `  ok      ${what}` : `  FAILED  ${what}: ${fault}`);
    return results.every(({ fault }) => fault === undefined);
  } catch (error) {
    say(`  FAILED  ${error instanceof Error ? error.message : String(error)}`);
    return false;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}
