import { describe, expect, it } from '@jest/globals';
import { withLogFields } from '@reseller/telemetry';
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

  it('when PostgreSQL quotes a row, then the line has the error without the row, and the request it happened in', () => {
    const lines: string[] = [];
    const write = (line: string): void => void lines.push(line);
    const log = createLogger({ name: 'orders-saga', level: 'info' }, { write });
    const detail = 'Failing row contains (7, Noura Al Harbi, King Fahd Road 12).';
    const client = { parsedStatements: { list_orders: 'SELECT 1' } };
    const err = Object.assign(new Error('new row violates check constraint'), {
      code: '23514',
      detail,
      client,
    });
    withLogFields({ requestId: 'r-1' }, () => log.error({ err }, 'failed'));
    const line = JSON.parse(lines[0] ?? '') as object;
    expect(line).toMatchObject({ requestId: 'r-1', err: { code: '23514', message: err.message } });
    expect(lines.join()).not.toMatch(/Noura|list_orders/);
  });
});
