import { PassThrough } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '@reseller/testing';
import { Output } from './output.ts';

let printed: string;
let screen: PassThrough & { isTTY?: boolean };
let shown: string;
beforeEach(() => {
  [printed, shown] = ['', ''];
  screen = Object.assign(new PassThrough(), { isTTY: true });
  screen.on('data', (chunk: Buffer) => (shown += stripVTControlCharacters(chunk.toString())));
});

const outputOf = (json = false) => new Output(json, (text) => void (printed += text), screen);

const shows = (text: RegExp) => eventually(() => expect(shown).toMatch(text));

/** A list as the client gives it, which comes to a halt after some items until it is let go on. */
function listOf(totalCount: number, haltsAfter: number) {
  let goOn = (): void => undefined;
  const halt = new Promise<void>((resolve) => (goOn = resolve));
  async function* items() {
    for (let at = 1; at <= totalCount; at += 1) {
      if (at === haltsAfter + 1) await halt;
      yield { at };
    }
  }
  const first = Promise.resolve({ pagination: { totalCount } });
  return { items: Object.assign(first, { [Symbol.asyncIterator]: items }), goOn };
}
const COLUMNS = { AT: ({ at }: { at: number }) => at };

describe('what is shown while a command takes long', () => {
  it('when a long list says how much there is, then a bar shows how much of it is read', async () => {
    const { items, goOn } = listOf(250, 200);
    const listed = outputOf().list(items, COLUMNS, Infinity);
    await shows(/[━=]{40} reading: 200 of 250/).finally(goOn);
    await listed;
    expect(printed.split('\n').slice(0, 2)).toEqual(['AT', '1']);
  });

  it('when fewer are requested than there are, then the bar is of those', async () => {
    const { items, goOn } = listOf(900, 100);
    const listed = outputOf().list(items, COLUMNS, 150);
    await shows(/reading: 100 of 150/).finally(goOn);
    await listed;
    expect(printed).toContain('There are more');
  });

  it('when nobody knows how much there is, then what came so far is shown', async () => {
    let goOn = (): void => undefined;
    const work = outputOf().during(
      'reading the statement',
      async (progress) => {
        progress(2_500_000);
        await new Promise<void>((resolve) => (goOn = resolve));
      },
      { textOf: (count) => `${count / 1_000_000} MB` },
    );
    await shows(/reading the statement: 2.5 MB/).finally(goOn);
    await work;
  });

  it.each([
    ['a program reads it', true, true, 250],
    ['no terminal is there', false, false, 250],
    ['the list is short', false, true, 90],
  ])('when %s, then nothing is shown beside the result', async (_, json, isTTY, count) => {
    screen.isTTY = isTTY;
    const { items } = listOf(count, count);
    await outputOf(json).list(items, COLUMNS, Infinity);
    expect([shown, printed.trim().split('\n').length]).toEqual(['', json ? count : count + 1]);
  });
});
