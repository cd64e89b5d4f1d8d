// Holds partner-tables.mjs to the Prisma schemas: every table is in it, or keyed by the id of one that is, and leads to its partner by a
// column that it has.
import { readFileSync } from 'node:fs';
import { PARTNER_TABLES, WITHOUT_PARTNER } from './partner-tables.mjs';

/** The columns of each table of a schema, by their names in the database, and the one that is its key, where it is one. */
function tablesOf(service) {
  const schema = readFileSync(`apps/${service}/prisma/schema.prisma`, 'utf8');
  return new Map(
    [...schema.matchAll(/^model (\w+) \{\n([\s\S]*?)^\}/gm)].map(([, model, body]) => {
      const lines = body.split('\n').filter((line) => /^ {2}\w/.test(line));
      const columnOf = (line) => /@map\("(\w+)"\)/.exec(line)?.[1] ?? line.trim().split(' ')[0];
      const columns = new Set(lines.map(columnOf));
      const key = lines.filter((line) => / @id\b/.test(line)).map(columnOf)[0];
      return [/@@map\("(\w+)"\)/.exec(body)?.[1] ?? model, { columns, key }];
    }),
  );
}

/** A table whose key is another's id, such as what only orders of one product have, moves with the other's row. */
const wayOf = (table, { key }, tables) => {
  const parent = /^(\w+)_id$/.exec(key ?? '')?.[1];
  return parent !== undefined && `${parent}s` !== table && tables.has(`${parent}s`)
    ? { [table]: `${key}>${parent}s` }
    : {};
};

const faults = [];
let count = 0;
for (const [service, stated] of Object.entries(PARTNER_TABLES)) {
  const tables = tablesOf(service);
  const declared = Object.assign(
    {},
    ...[...tables].map(([name, table]) => wayOf(name, table, tables)),
    stated,
  );
  for (const table of tables.keys())
    if (!(table in declared))
      faults.push(
        `${service}.${table} is not declared: say in libs/toolchain/partner-tables.mjs whose rows it holds`,
      );
  for (const [table, way] of Object.entries(declared)) {
    count += 1;
    const { columns } = tables.get(table) ?? {};
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
