import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { findRoot } from '../platform/start-platform';

/** A service as it was before its newest migration. */
export interface OldVersion {
  readonly service: string;
  readonly migration: string;
  readonly commit: string;
}

function run(command: string, args: string[], cwd: string): string {
  const bin = path.join(findRoot(), 'node_modules/.bin');
  const env = { ...process.env, PATH: `${bin}${path.delimiter}${process.env.PATH ?? ''}` };
  const result = spawnSync(command, args, { cwd, env, encoding: 'utf8', maxBuffer: 1 << 28 });
  if (result.status !== 0) throw new Error(`${command} ${args.join(' ')}: ${result.stderr}${result.stdout}`);
  return result.stdout.trim();
}

/**
 * The commit before the one that brought the service's newest migration, or the given one. Nothing from before a baseline
 * runs on its schema: where there is nothing but the baseline, it is the commit that gave it its present form.
 */
export function findOldVersion(service: string, commit?: string): OldVersion {
  const root = findRoot();
  const folder = `apps/${service}/prisma/migrations`;
  const migration = readdirSync(path.join(root, folder))
    .filter((name) => /^\d/.test(name))
    .sort()
    .at(-1);
  if (migration === undefined) throw new Error(`${service} has no migration`);
  if (migration.endsWith('_baseline')) {
    const sealed = run('git', ['log', '-1', '--format=%h', '--', `apps/${service}/prisma`], root);
    return { service, migration, commit: commit ?? sealed };
  }
  const file = `${folder}/${migration}/migration.sql`;
  // A migration that was renamed, or came with a merge, was added there.
  const wasAdded = ['--diff-filter=A', '--no-renames', '--first-parent', '-m'];
  const added = run('git', ['log', '-1', '--format=%h', ...wasAdded, '--', file], root);
  return { service, migration, commit: commit ?? run('git', ['rev-parse', '--short', `${added}^`], root) };
}

/**
 * Builds the service as of that commit, in a folder of its own; returns a folder of bundles in which that one is old and all
 * others are today's.
 */
export function buildOldVersion({ service, commit }: OldVersion, work: string): string {
  const root = findRoot();
  const source = path.join(work, 'source');
  mkdirSync(source, { recursive: true });
  run('git', ['archive', '--output', path.join(work, 'source.tar'), commit], root);
  run('tar', ['-xf', path.join(work, 'source.tar'), '-C', source], work);
  for (const folder of [work, source])
    symlinkSync(path.join(root, 'node_modules'), path.join(folder, 'node_modules'));
  run('buf', ['generate'], path.join(source, 'proto'));
  run('node', ['libs/toolchain/prisma-generate.mjs', service], source);
  run('node', ['libs/toolchain/bundle.mjs', service], source);
  const apps = path.join(work, 'apps');
  mkdirSync(apps);
  for (const app of readdirSync(path.join(root, 'dist/apps'))) {
    const today = path.join(root, 'dist/apps', app);
    if (app === service)
      cpSync(path.join(source, 'dist/apps', app), path.join(apps, app), { recursive: true });
    // A copy: a starter looks for the others beside itself, wherever it really lies.
    else if (app === 'local-platform') cpSync(today, path.join(apps, app), { recursive: true });
    else symlinkSync(today, path.join(apps, app));
  }
  return apps;
}
