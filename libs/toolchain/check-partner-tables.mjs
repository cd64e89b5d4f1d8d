// Holds partner-tables.mjs to the Prisma schemas: every table is in it, and leads to its partner by a column that it has.
import { readFileSync } from 'node:fs';
import { PARTNER_TABLES, WITHOUT_PARTNER } from './partner-tables.mjs';

/** The columns of each table of a schema, by their names in the database. */
function tablesOf(service) {
  const schema = readFileSync(`apps/${service}/prisma/schema.prisma`, 'utf8');
  return new Map(
    [...schema.matchAll(/^model (\w+) \{\n([\s\S]*?)^\}/gm)].map(([, model, body]) => {
      const columns = body
        .split('\n')
        .filter((line) => /^ {2}\w/.test(line))
        .map((line) => /@map\("(\w+)"\)/.exec(line)?.[1] ?? line.trim().split(' ')[0]);
      return [/@@map\("(\w+)"\)/.exec(body)?.[1] ?? model, new Set(columns)];
    }),
  );
}

const faults = [];
let count = 0;
for (const [service, declared] of Object.entries(PARTNER_TABLES)) {
  const tables = tablesOf(service);
  for (const table of tables.keys())
    if (!(table in declared))
      faults.push(
        `${service}.${table} is not declared: say in libs/toolchain/partner-tables.mjs whose rows it holds`,
      );
  for (const [table, way] of Object.entries(declared)) {
    count += 1;
    const columns = tables.get(table);
    if (!columns) {
      faults.push(`${service}.${table} is declared and is not there`);
      continue;
    }
    if (WITHOUT_PARTNER.includes(way)) continue;
    const [column, parent] = way.split('>');
    if (!columns.has(column)) faults.push(`${service}.${table} has no column ${column}`);
    if (parent !== undefined && (!declared[parent] || WITHOUT_PARTNER.includes(declared[parent])))
      faults.push(`${service}.${table}: ${parent} leads to no partner`);
  }
}
for (const fault of faults) console.error(fault);
console.log(`${count} tables, ${faults.length} faults`);
process.exit(faults.length === 0 ? 0 : 1);
