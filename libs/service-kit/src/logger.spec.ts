import { describe, expect, it } from '@jest/globals';
import { createLogger } from './logger';

describe('createLogger', () => {
  it('when fields hold secrets, then the line hides them and keeps the rest', () => {
    const lines: string[] = [];
    const log = createLogger(
      { name: 'gateway', level: 'info' },
      { write: (line: string) => void lines.push(line) },
    );
    log.info(
      {
        authorization: 'Bearer abc1',
        request: { headers: { authorization: 'abc2' }, clientSecret: 'abc3', token: 'abc4', path: '/x' },
        user: { password: 'abc5', secret: 'abc6' },
      },
      'seen',
    );
    expect(lines.join()).not.toMatch(/abc\d/);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      service: 'gateway',
      msg: 'seen',
      request: { path: '/x' },
    });
  });
});
