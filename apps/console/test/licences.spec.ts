import { expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import path from 'node:path';

/** A package whose code is in the page. */
interface Bundled {
  readonly name: string;
  readonly identifier: string | null;
}

/** Those that ask for nothing but their own text, which ships beside the page. */
const FREE = /^(MIT|ISC|0BSD|Apache-2\.0|BSD-[23]-Clause)$/;

it('when packages are built into the page, then each has a licence that asks for nothing but its text', () => {
  const file = path.resolve(__dirname, '../../../dist/apps/console/licences.json');
  const bundled = JSON.parse(readFileSync(file, 'utf8')) as Bundled[];
  expect(bundled.map(({ name }) => name)).toEqual(expect.arrayContaining(['react', '@mantine/core']));
  expect(bundled.filter(({ identifier }) => !FREE.test(identifier ?? ''))).toEqual([]);
});
