import { AppError } from '@reseller/errors';
import { describe, expect, it } from '@jest/globals';
import { ConfigError } from './config';
import { oneOf, reporting } from './run-command';

async function reported(error: Error, { name, failedWith }: { name?: string; failedWith?: number } = {}) {
  const lines: string[] = [];
  const command = { ...(name && { name }), complain: (line: string) => void lines.push(line) };
  const code = await reporting(command, () => Promise.reject(error), failedWith);
  return { code, lines };
}

describe('reporting', () => {
  it('when the work is done, then its own exit code is kept and nothing is complained of', async () => {
    const lines: string[] = [];
    expect(await reporting({ complain: (line) => void lines.push(line) }, () => Promise.resolve(3))).toBe(3);
    expect(lines).toEqual([]);
  });

  it('when settings are wrong, then each has a line with the name of the command', async () => {
    const wrong = new ConfigError(['ONE is missing', 'TWO is wrong']);
    const lines = ['finance: ONE is missing', 'finance: TWO is wrong'];
    expect(await reported(wrong, { name: 'finance' })).toEqual({ code: 1, lines });
  });

  it('when an error is of the catalogue, then its code and details are in the line', async () => {
    const { lines } = await reported(new AppError('NOT_FOUND_ORDER', { message: 'No such order.', id: 'a' }));
    expect(lines).toEqual(['NOT_FOUND_ORDER: No such order. {"message":"No such order.","id":"a"}']);
  });

  it('when Prisma says what went wrong behind an excerpt of code, then the line is that alone', async () => {
    const message =
      "\nInvalid `prisma.key.list()` invocation in\n/keys.js:3\n\n→ 3   list(\nCan't reach the server";
    expect((await reported(new Error(message))).lines).toEqual(["Can't reach the server"]);
  });

  it('when anything else goes wrong, then the line is its message, and the exit code the one that was chosen', async () => {
    expect(await reported(new Error('no file'), { failedWith: 2 })).toEqual({ code: 2, lines: ['no file'] });
  });
});

describe('oneOf', () => {
  it('when the value is none of those that are allowed, then the sentence names the option', () => {
    expect(oneOf('format', ['csv', 'json'], 'csv')).toBe('csv');
    expect(() => oneOf('format', ['csv', 'json'], 'xml')).toThrow(
      '--format must be one of csv, json, not xml',
    );
  });
});
