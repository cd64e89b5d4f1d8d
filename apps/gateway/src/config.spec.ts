import { describe, expect, it } from '@jest/globals';
import { loadConfig } from '@reseller/service-kit';
import { config } from './config';

const address = '127.0.0.1:7000';
const good = {
  IDENTITY_ADDRESS: address,
  FINANCE_ADDRESS: address,
  ORDERS_SAGA_ADDRESS: address,
  SCENT_COMMERCE_ADDRESS: address,
  NOTIFIER_ADDRESS: address,
  TOKEN_ISSUER: 'https://api.example.com',
};

describe('the settings of the gateway', () => {
  it.each([
    ['REDIS_URL', 'redis://user:hunter2@h:99999'],
    ['REDIS_URL', 'redis://user:hunter2%zz@h:6379'],
    ['REDIS_URL', 'redis://h:6379/limits'],
    ['REDIS_CA_FILE', '/ca.pem'],
    ['TOKEN_ISSUER', 'https://api.example.com '],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'http://['],
  ])('when %s is %s, then it is refused by its name, and not shown', (name, value) => {
    const load = () => loadConfig(config, { ...good, [name]: value });
    expect(load).toThrow(`${name} is not valid: expected `);
    expect(load).not.toThrow('hunter2');
  });

  it('when Redis is given with a user, a database or TLS, then that is taken', () => {
    for (const REDIS_URL of ['redis://h', 'redis://u:p%40@h:6379/', 'rediss://:p@[::1]:6380/2'])
      expect(loadConfig(config, { ...good, REDIS_URL })).toMatchObject({ REDIS_URL });
    const withCa = { REDIS_URL: 'rediss://h', REDIS_CA_FILE: '/ca.pem' };
    expect(loadConfig(config, { ...good, ...withCa })).toMatchObject(withCa);
  });
});
