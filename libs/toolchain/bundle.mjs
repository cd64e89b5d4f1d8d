// Bundles one app into dist/apps/<app>/main.js, and each of its src/commands/<name>.ts beside it as <name>.js: workspace
// code inlined, packages left to node_modules. packages.json lists what they import from there.
//   --with=<other app>:<folder>   what that app's build made, in a folder of this one's, as of a page that it serves
// One file and V8's compile cache start nine processes on two cores in seconds; CommonJS, because Jest and Prisma's client are at home
// there. An image holds the bundle and those packages, from a pruned package-lock.json, so each has the version and checksum that the
// tests ran with. TypeScript's project references build the same libraries many times; distroless' tags name a major version only.
import { build } from 'esbuild';
import { cpSync, existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import path from 'node:path';
import { parseArgs } from 'node:util';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { with: { type: 'string', multiple: true, default: [] } },
});
const [app] = positionals;
if (!app || !existsSync(`apps/${app}/src/main.ts`)) {
  console.error(`bundle: apps/${app ?? '<app>'}/src/main.ts does not exist; name an app`);
  process.exit(1);
}
const outdir = path.join('dist/apps', app);
rmSync(outdir, { recursive: true, force: true });
const commands = `apps/${app}/src/commands`;
const commandFiles = existsSync(commands)
  ? readdirSync(commands).filter((file) => /(?<!\.spec)\.ts$/.test(file))
  : [];
const { metafile } = await build({
  entryPoints: [`apps/${app}/src/main.ts`, ...commandFiles.map((file) => `${commands}/${file}`)],
  entryNames: '[name]',
  outdir,
  bundle: true,
  platform: 'node',
  target: 'node24',
  format: 'cjs',
  packages: 'external',
  sourcemap: true,
  tsconfig: `apps/${app}/tsconfig.json`,
  metafile: true,
  logLevel: 'warning',
});
// esbuild takes a workspace name without a path in tsconfig.base.json for a package: it would only fail at start.
const unresolved = Object.values(metafile.inputs)
  .flatMap((input) => input.imports)
  .filter((entry) => entry.external && entry.path.startsWith('@reseller/'));
if (unresolved.length > 0) {
  const names = [...new Set(unresolved.map((entry) => entry.path))].join(', ');
  console.error(`bundle: ${names} has no path in tsconfig.base.json`);
  process.exit(1);
}
for (const folder of ['prisma/migrations', 'prisma/routines', 'prisma/grants.sql', 'assets', 'data']) {
  const source = path.join('apps', app, folder);
  // What keeps an empty folder in git is no part of the app.
  const filter = (file) => path.basename(file) !== '.gitkeep';
  if (existsSync(source))
    cpSync(source, path.join(outdir, path.basename(folder)), { recursive: true, filter });
}
const document = path.join('apps', app, 'src/generated/openapi.json');
if (existsSync(document)) cpSync(document, path.join(outdir, 'generated/openapi.json'));
for (const [other, folder] of values.with.map((pair) => pair.split(':')))
  cpSync(path.join('dist/apps', other), path.join(outdir, folder), { recursive: true });
const imported = Object.values(metafile.outputs)
  .flatMap((output) => output.imports)
  .filter((entry) => entry.external && !isBuiltin(entry.path))
  .map((entry) => entry.path);
writeFileSync(
  path.join(outdir, 'packages.json'),
  `${JSON.stringify([...new Set(imported)].sort(), null, 2)}\n`,
);
