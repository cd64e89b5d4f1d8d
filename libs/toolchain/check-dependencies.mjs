// Holds the repository's imports to dependency-rules.mjs, and each rule to a file of lint-canary/imports that breaks it
// on purpose: a rule that says nothing there, or has no such file, guards nothing.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import config from './dependency-rules.mjs';

const rules = fileURLToPath(new URL('dependency-rules.mjs', import.meta.url));
const canary = fileURLToPath(new URL('lint-canary/imports', import.meta.url));

/** The violations of the rules in these folders. */
function violationsIn(cwd, folders) {
  const args = ['--config', rules, '--output-type', 'json', ...folders];
  const cruise = spawnSync('depcruise', args, { cwd, encoding: 'utf8', maxBuffer: 1024 ** 3 });
  if (!cruise.stdout?.startsWith('{')) {
    const reason = cruise.error?.message ?? `${cruise.stdout}${cruise.stderr}`;
    console.error(`imports: dependency-cruiser did not run; is it installed (npm ci)?\n${reason}`);
    process.exit(1);
  }
  return JSON.parse(cruise.stdout).summary;
}

const { violations, totalCruised } = violationsIn(process.cwd(), ['apps', 'deploy', 'libs']);
for (const { rule, from, to, cycle } of violations) {
  const path = cycle ? [from, ...cycle.map(({ name }) => name)] : [from, to];
  const { comment } = config.forbidden.find(({ name }) => name === rule.name);
  console.error(`${rule.name}: ${path.join(' -> ')}\n  ${comment}`);
}
const caught = new Set(
  violationsIn(canary, ['apps']).violations.map(({ rule, from }) => `${rule.name} ${from}`),
);
const silent = config.forbidden.filter(
  ({ name }) => ![...caught].some((line) => line.startsWith(`${name} `) && line.includes(`/${name}.`)),
);
for (const { name } of silent)
  console.error(`${name}: says nothing of a file ${name}.… in lint-canary/imports, so it guards nothing`);
console.log(
  `imports: ${totalCruised} modules, ${violations.length} violations, ${silent.length} silent rules`,
);
process.exit(violations.length + silent.length === 0 ? 0 : 1);
