// Lints code that breaks each structural rule on purpose, and fails when a rule lets it pass.
import { spawnSync } from 'node:child_process';

const folder = 'libs/toolchain/lint-canary';
const expected = {
  [`${folder}/edge/src/imports-database-client.ts`]: '@nx/enforce-module-boundaries',
  [`${folder}/kernel/src/imports-platform.ts`]: '@nx/enforce-module-boundaries',
  [`${folder}/service/src/imports-express.ts`]: '@nx/enforce-module-boundaries',
};

const lint = spawnSync('eslint', ['--format', 'json', ...Object.keys(expected)], { encoding: 'utf8' });
if (!lint.stdout.startsWith('[')) {
  console.error(`lint canary: ESLint did not run.\n${lint.stderr}`);
  process.exit(1);
}
const results = JSON.parse(lint.stdout);
let silent = 0;
for (const [file, rule] of Object.entries(expected)) {
  const result = results.find((entry) => entry.filePath.endsWith(file));
  if (result?.messages.some((message) => message.ruleId === rule)) continue;
  silent += 1;
  console.error(`lint canary: ${rule} said nothing about ${file}; the boundary it guards is open`);
}
process.exit(silent === 0 ? 0 : 1);
