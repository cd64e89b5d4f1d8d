import { describe, expect, it } from '@jest/globals';
import { ConfigError, loadConfig } from '@reseller/service-kit';
import { config } from './config';

const good = {
  NODE_ENV: 'production',
  DATABASE_URL: 'postgresql://u@h/orders',
  EVENT_BUS_URL: 'postgresql://u@h/bus',
  FINANCE_ADDRESS: 'finance:9000',
  SCENT_COMMERCE_ADDRESS: 'scent:9000',
};
const vendor = {
  name: 'acme',
  url: 'https://v:1',
  apiKey: 'k',
  products: ['Topup'],
  geoScopes: ['*'],
  priority: 1,
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

describe('the settings of orders-saga', () => {
  it('when they are complete, then the rest has the defaults of spec §4.6', () => {
    expect(loadConfig(config, good)).toMatchObject({
      VENDORS: [],
      SAGA_BUDGET_MS: 10_000,
      VENDOR_POLL_BASE_MS: 2_000,
      VENDOR_POLL_CAP_MS: 300_000,
      VENDOR_UNKNOWN_AFTER_MS: 86_400_000,
    });
    expect(loadConfig(config, { ...good, VENDORS: JSON.stringify([vendor]) }).VENDORS).toEqual([vendor]);
  });

  it('when one is missing or wrong, then it is named and its value is not shown', () => {
    expect(faultsOf({ FINANCE_ADDRESS: '', SAGA_LEASE_MS: 'long' })).toEqual([
      'FINANCE_ADDRESS',
      'SAGA_LEASE_MS',
    ]);
    expect(faultsOf({ VENDORS: '[{"name":"acme"}]' })).toEqual(['VENDORS']);
    expect(faultsOf({ VENDORS: JSON.stringify([vendor, vendor]) })).toEqual(['VENDORS']);
    expect(faultsOf({ VENDORS: JSON.stringify([{ ...vendor, concurrency: 0 }]) })).toEqual(['VENDORS']);
    expect(faultsOf({ VENDORS: JSON.stringify([{ ...vendor, apiKey: 'k\n' }]) })).toEqual(['VENDORS']);
    expect(faultsOf({ VENDORS: JSON.stringify([{ ...vendor, apiKey: 'Key k=1' }]) })).toEqual([]);
    expect(() => loadConfig(config, { ...good, VENDORS: '[{"apiKey":"s3cret"}]' })).not.toThrow(/s3cret/);
  });

  it('when a vendor would be called in plain text in production, then the service does not start, unless that is allowed', () => {
    const VENDORS = JSON.stringify([vendor, { ...vendor, name: 'other', url: 'http://v:2' }]);
    expect(faultsOf({ VENDORS })).toEqual(['VENDORS']);
    expect(faultsOf({ VENDORS, PLAINTEXT_ALLOWED: 'rpc' })).toEqual(['VENDORS']);
    expect(faultsOf({ VENDORS, PLAINTEXT_ALLOWED: 'rpc,vendors' })).toEqual([]);
    expect(faultsOf({ VENDORS, NODE_ENV: 'test' })).toEqual([]);
  });

  it('when a crash point is set in production, then the service does not start', () => {
    expect(faultsOf({ CRASH_POINT: 'funds.reserve.before' })).toEqual(['CRASH_POINT']);
    expect(faultsOf({ NODE_ENV: 'test', CRASH_POINT: 'funds.reserve.before' })).toEqual([]);
    expect(faultsOf({ NODE_ENV: 'test', CRASH_POINT: 'nowhere' })).toEqual(['CRASH_POINT']);
    expect(faultsOf({ CRASH_POINT_FILE: '/tmp/crash' })).toEqual(['CRASH_POINT_FILE']);
    expect(faultsOf({ NODE_ENV: 'test', CRASH_POINT_FILE: '/tmp/crash' })).toEqual([]);
  });
});
