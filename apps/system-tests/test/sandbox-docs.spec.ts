import { beforeAll, expect, test } from '@jest/globals';
import { samplesFor } from '@reseller/testing';
import { describePage, examplesOf, openShell, readPage } from '../src/docs-page/docs-page';

const page = readPage('sandbox.md');
const samples = samplesFor(__filename);
// The command that fetches a token is what opens the shell.
const sections = [...new Set(samples.map(({ section }) => section))]
  .map((title) => ({ title, examples: examplesOf(samples.filter(({ section }) => section === title)) }))
  .filter(({ examples }) => examples.some(({ response }) => response));

describePage('docs/partners/sandbox.md', () => {
  const failures = new Map<string, unknown>();
  beforeAll(async () => {
    const shell = await openShell();
    const note = async ({ title, examples }: (typeof sections)[number]): Promise<void> => {
      try {
        for (const example of examples) await shell.paste(example);
      } catch (error) {
        failures.set(title, error);
      }
    };
    await Promise.all(sections.slice(0, -1).map(note));
    await note(sections.at(-1)!);
  });

  test('when the page is read, then every row of its table has commands for a top-up and for an eSIM', () => {
    const examples = sections.flatMap((section) => section.examples);
    for (const [, ends, tag] of page.matchAll(/^\| (\d{4})\s*\| `(\w+)`/gm)) {
      const of = (text: string): number => examples.filter(({ command }) => command.includes(text)).length;
      expect([of(`${ends}"`) > 0, of(`anyone+${tag}@`) > 0]).toEqual([true, true]);
    }
    expect(sections).toHaveLength(11);
  });

  test.each(sections)(
    'when the commands of “$title” are pasted, then they return what is shown',
    ({ title }) => {
      const failure = failures.get(title);
      if (failure !== undefined) throw failure;
    },
  );
});
