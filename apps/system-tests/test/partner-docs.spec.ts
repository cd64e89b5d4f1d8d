import { expect, test } from '@jest/globals';
import { describePage, examplesOf, openShell, readPage } from '../src/docs-page/docs-page';

describePage('the pages for partners (spec §16.1, §16.3, §17.1)', () => {
  test.each([
    ['events.md', 8],
    ['order-timeline.md', 3],
  ])(
    'when the commands of %s are pasted one after the other, then each returns what stands under it',
    async (name, count) => {
      const [shell, examples] = [await openShell(), examplesOf(readPage(name))];
      expect(examples).toHaveLength(count);
      for (const example of examples) await shell.paste(example);
    },
  );
});
