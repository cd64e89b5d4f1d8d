// Holds docs/spec together with what cites it: every rule that is cited anywhere exists, and every rule is cited by a test.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

const rules = new Set();
const areas = new Set();
for (const file of readdirSync('docs/spec').filter((name) => /^\d/.test(name))) {
  const text = readFileSync(`docs/spec/${file}`, 'utf8');
  const [, area] = /^# (\d+)\./.exec(text);
  areas.add(area);
  const own = [...text.matchAll(/^\*\*(\d+\.\d+)\*\*/gm)].map(([, rule]) => rule);
  for (const rule of own.length > 0 ? own : [area]) rules.add(rule);
}

const files = execFileSync('git', ['grep', '-lI', '-e', 'spec §', '-e', 'Spec §'], { encoding: 'utf8' })
  .trim()
  .split('\n');
const faults = [];
const tested = new Set();
for (const file of files) {
  const isTest = /\.spec\.ts$|\.contract\.ts$|\/test\//.test(file);
  readFileSync(file, 'utf8')
    .split('\n')
    .forEach((line, index) => {
      for (const [, list] of line.matchAll(
        /[sS]pec (§\d+(?:\.\d+)?(?:(?:, | and | to |–)§\d+(?:\.\d+)?)*)/g,
      )) {
        for (const [, rule] of list.matchAll(/§(\d+(?:\.\d+)?)/g)) {
          if (!rules.has(rule) && !areas.has(rule))
            faults.push(`${file}:${index + 1} cites spec §${rule}, which docs/spec does not have`);
          else if (isTest) tested.add(rule);
        }
      }
    });
}
for (const rule of rules)
  if (!tested.has(rule))
    faults.push(`no test cites spec §${rule}: name it in the test that fails when it is broken`);
for (const fault of faults) console.error(fault);
console.log(`${rules.size} rules, ${faults.length} faults`);
process.exit(faults.length === 0 ? 0 : 1);
