import { describe, expect, it } from '@jest/globals';
import { ConfigError, loadConfig } from '@reseller/service-kit';
import { z } from 'zod';
import { approvalConfig, needsApproval } from './approval-policy';

const read = (env: Record<string, string>) => loadConfig(z.object(approvalConfig), env);

describe('what needs a second operator (spec §18.3)', () => {
  it.each([
    ['1000', 'live', '1000.00', false],
    ['1000', 'live', '1000.01', true],
    ['1000', 'live', '-1000.01', true],
    ['1000', 'sandbox', '5000.00', false],
    ['0', 'live', '0.01', true],
    ['0.1', 'live', '0.10', false],
    ['9999999999999.98', 'live', '9999999999999.99', true],
    ['', 'live', '9999999999999.99', false],
  ] as const)(
    'when the limit is "%s" and %s is to move %s, then: %s',
    (limit, environment, amount, isNeeded) => {
      expect(needsApproval(read({ FOUR_EYES_ABOVE_SAR: limit }), environment, amount)).toBe(isNeeded);
    },
  );

  it.each(['-1', '1e3', '1.005', 'many', '1,000'])(
    'when the limit is %s, then the service does not start',
    (limit) => {
      expect(() => read({ FOUR_EYES_ABOVE_SAR: limit })).toThrow(ConfigError);
    },
  );
});
