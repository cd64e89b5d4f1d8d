import { describe, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';

const ROOT = path.resolve(__dirname, '../../..');
const NAMES = { name: 'loyalty', Pascal: 'Loyalty', camel: 'loyalty', snake: 'loyalty' };

/** What the generator would write, as [file, text], and put into tables, as [file, whether it found the place]. */
function generated(): { files: [string, string][]; entries: [string, boolean][] } {
  const program = `import { readFileSync } from 'node:fs';
    import { filesOf } from './libs/toolchain/new-service/files.mjs';
    import { entriesOf } from './libs/toolchain/new-service/entries.mjs';
    const names = ${JSON.stringify(NAMES)};
    const entries = entriesOf(names).map(({ file, after }) => [file, after.test(readFileSync(file, 'utf8'))]);
    console.log(JSON.stringify({ files: filesOf(names), entries }));`;
  const args = ['--input-type=module', '-e', program];
  return JSON.parse(execFileSync(process.execPath, args, { cwd: ROOT, encoding: 'utf8' })) as ReturnType<
    typeof generated
  >;
}

/** The lines before the first table of a schema, without its comment. */
const headOf = (schema: string): string => schema.slice(schema.indexOf('generator'), schema.indexOf('///'));

describe('new-service', () => {
  const { files, entries } = generated();

  it('when the tables that name every service are as they are, then each line of a new one has its place', () => {
    expect(entries.filter(([, isFound]) => !isFound)).toEqual([]);
  });

  it('when its Prisma client is generated, then as those of the other services, of which its image has the runtime', () => {
    const [, schema = ''] = files.find(([file]) => file.endsWith('schema.prisma')) ?? [];
    const other = readFileSync(path.join(ROOT, 'apps/notifier/prisma/schema.prisma'), 'utf8');
    expect(headOf(schema)).toBe(headOf(other));
  });
});
