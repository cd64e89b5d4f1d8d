// Lints code that breaks each structural rule on purpose, and one that needs types, and fails when a rule lets it pass.
import { spawnSync } from 'node:child_process';
import path from 'node:path';

const folder = 'libs/toolchain/lint-canary';
const expected = {
  [`${folder}/edge/src/imports-database-client.ts`]: '@nx(enforce-module-boundaries)',
  [`${folder}/kernel/src/forgets-promise.ts`]: 'typescript(no-floating-promises)',
  [`${folder}/kernel/src/imports-platform.ts`]: '@nx(enforce-module-boundaries)',
  [`${folder}/service/src/imports-express.ts`]: '@nx(enforce-module-boundaries)',
};
/** What buf's configuration asks a comment of. */
const commented = ['ENUM', 'ENUM_VALUE', 'FIELD', 'MESSAGE', 'ONEOF', 'RPC', 'SERVICE'];

/** The standard output of a linter that was made to find faults. */
function linted(name, command, args, cwd) {
  const { stdout, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8' });
  if (/^\s*[[{]/.test(stdout)) return stdout;
  console.error(`lint canary: ${name} did not run.\n${stdout}${stderr}`);
  process.exit(1);
}

const { diagnostics } = JSON.parse(
  linted('oxlint', 'oxlint', ['--format', 'json', ...Object.keys(expected)]),
);
let silent = 0;
for (const [file, rule] of Object.entries(expected)) {
  if (diagnostics.some(({ filename, code }) => filename === file && code === rule)) continue;
  silent += 1;
  console.error(`lint canary: ${rule} said nothing about ${file}; what it guards is open`);
}
const bufArgs = ['lint', '--config', path.resolve('proto/buf.yaml'), '--error-format', 'json'];
const faults = linted('buf', 'buf', bufArgs, `${folder}/proto`);
for (const element of commented) {
  if (faults.includes(`"type":"COMMENT_${element}"`)) continue;
  silent += 1;
  console.error(`lint canary: COMMENT_${element} said nothing about ${folder}/proto`);
}
process.exit(silent === 0 ? 0 : 1);
