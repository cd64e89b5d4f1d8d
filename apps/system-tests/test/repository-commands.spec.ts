import { describe, expect, test } from '@jest/globals';
import { runWithFakes, samplesFor } from '@reseller/testing';
import { checkRepositoryCall, checkVariable } from '../src/docs-page/repository-calls';
import { findRoot } from '../src/platform/start-platform';

const samples = samplesFor(__filename);
const fakes = { node: '', npm: '', npx: '', promtool: '' };

describe('the commands that the documentation shows for a clone of the repository', () => {
  // Most of them take minutes, and each runs elsewhere: what is held here is that they are what a reader can type.
  test.each(samples)(
    'when those of $page, line $line, are pasted, then the repository has each',
    async ({ code }) => {
      const { calls } = await runWithFakes(code, { fakes, cwd: findRoot() });
      const lines = code
        .replaceAll('\\\n', ' ')
        .split('\n')
        .filter((line) => /^\s*[^#\s]/.test(line));
      expect(calls.length).toBeGreaterThanOrEqual(lines.length);
      calls.forEach(checkRepositoryCall);
      for (const [, variable = ''] of code.matchAll(/^([A-Z_]+)=/gm)) checkVariable(variable);
    },
  );
});
