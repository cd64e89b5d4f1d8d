import { describe, expect, it } from '@jest/globals';
import { explainDeath } from './explain-death';

describe('explainDeath', () => {
  it('when the log holds a crash, then its message is shown without its frames', () => {
    const lines = [
      '{"level":30,"msg":"starting"}',
      '{"level":60,"msg":"cannot start","err":{"message":"no such database","stack":"at x"}}',
      "Error: Cannot find module 'a'",
      '    at require (node:internal)',
      '}',
      'Node.js v24.21.0',
    ];
    expect(explainDeath(lines)).toEqual(['cannot start: no such database', "Error: Cannot find module 'a'"]);
  });

  it('when a setting is bad, then its line is shown as it is', () => {
    const line = 'gateway: RATE_LIMIT_DEFAULT is not valid: expected a whole number';
    expect(explainDeath([line])).toEqual([line]);
  });
});
