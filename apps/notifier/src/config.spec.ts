import { describe, expect, it } from '@jest/globals';
import { ConfigError, loadConfig } from '@reseller/service-kit';
import { config } from './config';

const key = 'ab'.repeat(32);
const good = {
  DATABASE_URL: 'postgresql://u@h/notifier',
  EVENT_BUS_URL: 'postgresql://u@h/bus',
  WEBHOOK_SECRET_KEYS: `k1:${key}`,
};

function faultsOf(env: Record<string, string>): string[] {
  try {
    loadConfig(config, { ...good, ...env });
    return [];
  } catch (error) {
    return error instanceof ConfigError
      ? error.lines.map((line) => line.split(' ')[0] ?? '')
      : [String(error)];
  }
}

describe('the settings of notifier', () => {
  it('when they are complete, then nothing private is allowed unless listed', () => {
    expect(loadConfig(config, good)).toMatchObject({
      WEBHOOK_ALLOWED_PRIVATE_TARGETS: [],
      WEBHOOK_SECRET_KEYS: [{ id: 'k1', key: Buffer.from(key, 'hex') }],
    });
  });

  it('when private targets are allowed in production, then the service does not start', () => {
    expect(faultsOf({ WEBHOOK_ALLOWED_PRIVATE_TARGETS: '127.0.0.1:9000' })).toEqual([
      'WEBHOOK_ALLOWED_PRIVATE_TARGETS',
    ]);
    expect(faultsOf({ NODE_ENV: 'development', WEBHOOK_ALLOWED_PRIVATE_TARGETS: '10.0.0.0/8' })).toEqual([]);
    expect(faultsOf({ NODE_ENV: 'test', WEBHOOK_ALLOWED_PRIVATE_TARGETS: 'nonsense' })).toEqual([
      'WEBHOOK_ALLOWED_PRIVATE_TARGETS',
    ]);
  });

  it.each([
    '',
    key,
    `k1:${key.slice(2)}`,
    `k1:${key},`,
    `k1:${key},k1:${key}`,
    `:${key}`,
    `k 1:${key}`,
    `k1:not-a-key`,
  ])('when the keys of secrets are %j, then the service does not start and shows none', (keys) => {
    expect(faultsOf({ WEBHOOK_SECRET_KEYS: keys })).toEqual(['WEBHOOK_SECRET_KEYS']);
    expect(() => loadConfig(config, { ...good, WEBHOOK_SECRET_KEYS: keys })).not.toThrow(key.slice(2));
  });

  it('when there are several keys, in hex or base64, then they keep their order', () => {
    const base64 = Buffer.alloc(32, 7).toString('base64');
    const keys = loadConfig(config, {
      ...good,
      WEBHOOK_SECRET_KEYS: `b:${base64}, a:${key}`,
    }).WEBHOOK_SECRET_KEYS;
    expect(keys.map(({ id }) => id)).toEqual(['b', 'a']);
    expect(keys[0]?.key).toEqual(Buffer.alloc(32, 7));
  });
});
