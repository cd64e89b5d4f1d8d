// Holds docs/adr to its form, and together with what cites it: numbers in the order of dates and without gaps, thirty at most, the same
// parts on every page, an index of all, and no citation anywhere of a number that is not there.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

const MOST_DECISIONS = 30;
const MOST_LINES = 40;
const PARTS = ['Context', 'Choice', 'Costs', 'Measured', 'Refused'];
/** Migrations of this day and before are sealed with the numbers of before, which the index translates. */
const RENUMBERED_ON = '20261123';

const folder = 'docs/adr';
const index = readFileSync(`${folder}/README.md`, 'utf8');
const former = new Set([...index.matchAll(/^\| (\d{4}) \| \[\d{4}\]/gm)].map(([, number]) => number));
const pages = readdirSync(folder)
  .filter((name) => name !== 'README.md')
  .sort()
  .map((name) => ({ name, number: name.slice(0, 4), text: readFileSync(`${folder}/${name}`, 'utf8') }));
const numbers = new Set(pages.map(({ number }) => number));
const names = new Set(pages.map(({ name }) => name));

/** What is wrong with one page. */
function faultsOf({ name, number, text }, position) {
  const due = String(position + 1).padStart(4, '0');
  const [, title] = /^# \d{4}: (.+)$/m.exec(text) ?? [];
  const parts = [...text.matchAll(/^\*\*(\w+)\.\*\* /gm)].map(([, part]) => part);
  return [
    [number === due, `is in the place of ${due}`],
    [text.startsWith(`# ${number}: `), `does not begin with "# ${number}: "`],
    [dateOf(text) !== undefined, 'has no line "Status: accepted · <date>"'],
    [parts.join() === PARTS.join(), `has not the parts ${PARTS.join(', ')}, in this order`],
    [text.trimEnd().split('\n').length <= MOST_LINES, `is longer than ${MOST_LINES} lines`],
    [
      index.includes(`- [${number}](${name}): ${title}\n`),
      'is not in the index by its number, name and title',
    ],
  ]
    .filter(([holds]) => !holds)
    .map(([, fault]) => `${folder}/${name} ${fault}`);
}

/** The day on which a page was accepted. */
function dateOf(text) {
  return /^Status: accepted · (\d{4}-\d{2}-\d{2})(?:, amended \d{4}-\d{2}-\d{2})?$/m.exec(text)?.[1];
}

const faults = pages.flatMap(faultsOf);
if (pages.length > MOST_DECISIONS)
  faults.push(`${pages.length} decisions; the smaller ones are a comment at the code they explain`);
pages.slice(1).forEach(({ name, text }, before) => {
  if (dateOf(text) < dateOf(pages[before].text))
    faults.push(`${folder}/${name} is older than the page before it`);
});

const citing = execFileSync('git', ['grep', '-lIE', 'ADR [0-9]{4}|adr/[0-9]{4}'], { encoding: 'utf8' });
const texts = citing
  .trim()
  .split('\n')
  .map((file) => ({ file, text: readFileSync(file, 'utf8') }));
const isOldMigration = ({ file }) => /\/migrations\/(\d{8})/.exec(file)?.[1] <= RENUMBERED_ON;
/** Migrations may be copies of a file that libraries keep. */
const sealed = new Set(texts.filter(isOldMigration).map(({ text }) => text));
for (const { file, text } of texts) {
  const known = sealed.has(text) ? former : numbers;
  for (const [, number] of text.matchAll(/(?:ADR |adr\/)(\d{4})/g))
    if (!known.has(number)) faults.push(`${file} cites decision ${number}, which is not there`);
  for (const [, name] of text.matchAll(/adr\/(\d{4}-[\w-]+\.md)/g))
    if (!names.has(name)) faults.push(`${file} links ${name}, which is not there`);
}
for (const { name, text } of pages)
  for (const [, link] of text.matchAll(/\]\((\d{4}-[\w-]+\.md)\)/g))
    if (!names.has(link)) faults.push(`${folder}/${name} links ${link}, which is not there`);

for (const fault of faults) console.error(fault);
console.log(`${pages.length} decisions, ${faults.length} faults`);
process.exit(faults.length === 0 ? 0 : 1);
