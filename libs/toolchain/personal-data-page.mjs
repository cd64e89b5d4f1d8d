// npm run personal-data: writes the table of docs/platform/personal-data.md from personal-data.mjs. `--check` compares it, and the
// schemas with the declaration, and prints what is wrong.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { loadSources } from './load-sources.mjs';
import { ARCHIVED_WITHOUT, columnsThatMayHoldAPerson, NOT_PERSONAL, PERSONAL } from './personal-data.mjs';

const PAGE = 'docs/platform/personal-data.md';
const SERVICES = ['identity', 'finance', 'orders-saga', 'scent-commerce', 'notifier'];
const [BEGIN, END] = ['<!-- columns -->\n', '<!-- end of columns -->'];

const page = readFileSync(PAGE, 'utf8');
const head = ['| service | column | holds | for how long | why |', '|---|---|---|---|---|'];
const rows = PERSONAL.map(
  ([service, table, column, ...rest]) => `| ${[service, `\`${table}.${column}\``, ...rest].join(' | ')} |`,
);
const [before, behind] = [page.slice(0, page.indexOf(BEGIN) + BEGIN.length), page.slice(page.indexOf(END))];
const wanted = `${before}\n${[...head, ...rows].join('\n')}\n\n${behind}`;

if (!process.argv.includes('--check')) writeFileSync(PAGE, wanted);
else {
  const columns = SERVICES.flatMap((service) =>
    columnsThatMayHoldAPerson(service, readFileSync(`apps/${service}/prisma/schema.prisma`, 'utf8')),
  );
  const declared = PERSONAL.map((entry) => entry.slice(0, 3).join('.'));
  const archived = (await Promise.all(SERVICES.map(archivedColumns))).flat();
  const isErased = (column) =>
    PERSONAL.some(
      (entry) => entry.slice(0, 3).join('.') === column && entry[4].includes('erased on request'),
    );
  const isKnown = (column) =>
    declared.includes(column) || NOT_PERSONAL.some(([pattern]) => pattern.test(column));
  const faults = [
    ...columns
      .filter((column) => !isKnown(column))
      .map((column) => `${column} may hold a person and is not declared`),
    ...declared
      .filter((column) => !columns.includes(column))
      .map((column) => `${column} is declared and is not there`),
    ...NOT_PERSONAL.filter(([pattern]) => !columns.some((column) => pattern.test(column))).map(
      ([pattern]) => `${pattern} excuses nothing`,
    ),
    ...archived
      .filter(
        ({ reads, name }) => reads.some(isErased) && !ARCHIVED_WITHOUT.some(([column]) => column === name),
      )
      .map(({ name }) => `${name} is archived, where no erasure reaches it`),
    ...(page === wanted ? [] : [`${PAGE} is not as declared; run npm run personal-data`]),
  ];
  for (const fault of faults) process.stdout.write(`${fault}\n`);
  process.exitCode = faults.length > 0 ? 1 : 0;
}

/** The columns that a service archives, each with those of its tables whose names it is made of. */
async function archivedColumns(service) {
  const file = `apps/${service}/src/archive/archived-tables`;
  if (!existsSync(`${file}.ts`)) return [];
  const { ARCHIVED_TABLES } = await loadSources(`export { ARCHIVED_TABLES } from './${file}';`);
  return ARCHIVED_TABLES.flatMap(({ table, columns }) =>
    columns.map(({ name, from = name }) => ({
      name: `${service}.${table}.${name}`,
      reads: PERSONAL.filter(
        ([of, , column]) => of === service && new RegExp(`\\b${column}\\b`).test(from),
      ).map((entry) => entry.slice(0, 3).join('.')),
    })),
  );
}
