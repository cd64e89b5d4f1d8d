import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { samplesFor } from '@reseller/testing';
import { PRELUDES } from '../src/docs-page/preludes';
import { findRoot } from '../src/platform/start-platform';

const root = findRoot();
const samples = samplesFor(__filename).map((sample, at) => ({ ...sample, file: `sample-${at}.ts` }));

/** A sample with what its reader has around it, as a module of its own. */
function moduleOf(code: string): string {
  const prelude = Object.entries(PRELUDES).find(([text]) => code.includes(text))?.[1];
  if (!prelude) throw new Error(`apps/system-tests/src/docs-page/preludes.ts has nothing for\n${code}`);
  return `${prelude.before}\n${code}\n${prelude.after ?? ''}\nexport {};\n`;
}

describe('the samples in TypeScript', () => {
  let folder: string;
  let faults: string[];
  beforeAll(() => {
    mkdirSync(path.join(root, 'dist'), { recursive: true });
    folder = mkdtempSync(path.join(root, 'dist/typescript-samples-'));
    for (const { file, code } of samples) writeFileSync(path.join(folder, file), moduleOf(code));
    const config = {
      extends: '../../tsconfig.base.json',
      compilerOptions: { noEmit: true },
      include: ['*.ts'],
    };
    writeFileSync(path.join(folder, 'tsconfig.json'), JSON.stringify(config));
    const compiler = path.join(root, 'node_modules/typescript-native/bin/tsc');
    const { stdout } = spawnSync(process.execPath, [compiler, '--pretty', 'false', '-p', folder], {
      encoding: 'utf8',
      cwd: folder,
    });
    faults = stdout.split('\n').filter((line) => line !== '');
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test.each(samples)(
    'when that of $page, line $line, is compiled, then every name and type is right',
    ({ file }) => {
      expect(faults.filter((fault) => fault.startsWith(file))).toEqual([]);
    },
  );

  test('when all are compiled, then nothing else is wrong', () => {
    expect(faults.filter((fault) => !fault.startsWith('sample-'))).toEqual([]);
  });
});
