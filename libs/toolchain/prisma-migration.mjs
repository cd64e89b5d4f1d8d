// Writes a migration with what schema.prisma has beyond its last commit; all of it when it was never committed.
// Usage: node libs/toolchain/prisma-migration.mjs <app> <name>
import { build } from 'esbuild';
import { spawn, spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const [app, name] = process.argv.slice(2);
if (!app || !/^[a-z0-9_]+$/.test(name ?? '')) {
  console.error('usage: node libs/toolchain/prisma-migration.mjs <app> <name_in_snake_case>');
  process.exit(1);
}
const folder = path.resolve(`apps/${app}/prisma`);
const server = await startServer();
const { diffSchemas } = await library();
const script = await diffSchemas(
  server.url,
  committed(),
  readFileSync(path.join(folder, 'schema.prisma'), 'utf8'),
).finally(server.stop);
if (!script) {
  console.log('schema.prisma has not changed since its last commit');
} else {
  const time = new Date().toISOString().replace(/\D/g, '').slice(0, 14);
  const target = path.join(folder, 'migrations', `${time}_${name}`);
  mkdirSync(target, { recursive: true });
  writeFileSync(path.join(target, 'migration.sql'), script);
  console.log(
    `wrote ${path.relative('.', target)}/migration.sql; add checks, triggers and functions by hand`,
  );
}

/** The migrations themselves cannot be the starting point: Prisma's adapter cannot describe a database on PostgreSQL. */
function committed() {
  const result = spawnSync('git', ['show', `HEAD:apps/${app}/prisma/schema.prisma`], { encoding: 'utf8' });
  return result.status === 0 ? result.stdout : undefined;
}

/** The database library's own code, compiled in memory: this command runs before any build. */
async function library() {
  const entry = path.resolve('libs/database/src/diff-schemas.ts');
  const { outputFiles } = await build({
    entryPoints: [entry],
    bundle: true,
    write: false,
    platform: 'node',
    format: 'cjs',
    packages: 'external',
    tsconfig: 'libs/database/tsconfig.json',
  });
  const require = createRequire(entry);
  const Module = require('node:module');
  const compiled = new Module(entry);
  compiled.filename = entry;
  compiled.paths = Module._nodeModulePaths(path.dirname(entry));
  compiled._compile(outputFiles[0].text, entry);
  return compiled.exports;
}

function startServer() {
  const url = process.env.TEST_DATABASE_URL;
  if (url) return { url, stop: () => undefined };
  const child = spawn(process.execPath, ['libs/toolchain/test-postgres.cjs'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  return new Promise((resolve, reject) => {
    child.stdout.on('data', (line) => resolve({ url: JSON.parse(line).url, stop: () => child.stdin.end() }));
    child.once('exit', (code) => reject(new Error(`PostgreSQL did not start (exit ${code})`)));
  });
}
