// Adds new migrations to libs/database/migrations.json, by which a test sees to it that none is ever edited. What is
// sealed already is not touched: a migration that has been applied somewhere is corrected by another one.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';

const file = 'libs/database/migrations.json';
const sealed = JSON.parse(readFileSync(file, 'utf8'));
for (const app of readdirSync('apps').sort()) {
  const folder = `apps/${app}/prisma/migrations`;
  if (!existsSync(folder)) continue;
  for (const entry of readdirSync(folder, { withFileTypes: true }).filter((one) => one.isDirectory())) {
    const key = `${app}/${entry.name}`;
    if (key in sealed.earlier || key in sealed.checked) continue;
    const script = readFileSync(`${folder}/${entry.name}/migration.sql`);
    sealed.checked[key] = createHash('sha256').update(script).digest('hex');
    console.log(`sealed ${key}`);
  }
}
sealed.checked = Object.fromEntries(Object.entries(sealed.checked).sort(([a], [b]) => (a < b ? -1 : 1)));
writeFileSync(file, `${JSON.stringify(sealed, null, 2)}\n`);
