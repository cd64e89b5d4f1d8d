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
};

describe('the settings of the backoffice', () => {
  it('when a client is named and no provider, then it does not start without a sign-in that was meant to be there', () => {
    const misspelt = { OIDC_ISUER: 'https://login.example.com', OIDC_CLIENT_ID: 'backoffice' };
    expect(() => loadConfig(config, { ...good, ...misspelt })).toThrow(/^OIDC_ISSUER is missing: expected /);
    expect(loadConfig(config, good).OIDC_ISSUER).toBeUndefined();
  });

  const signIn = {
    BACKOFFICE_URL: 'https://backoffice.example.com/',
    OIDC_ISSUER: 'https://login.example.com/realm',
    OIDC_CLIENT_ID: 'backoffice',
    OIDC_CLIENT_SECRET: 'secret',
  };
  const here = { BACKOFFICE_URL: 'http://127.0.0.1:8090', OIDC_ISSUER: 'http://localhost:9000' };
  const outside = { NODE_ENV: 'development' };

  it.each([
    ['OIDC_CLIENT_ID', outside, undefined],
    ['OIDC_CLIENT_SECRET', outside, undefined],
    ['OIDC_ISSUER', outside, 'http://login.example.com'],
    ['OIDC_ISSUER', outside, 'https://login.example.com/?realm=1'],
    ['OIDC_ISSUER', outside, 'https://login.example.com/#realm'],
    ['OIDC_ISSUER', {}, here.OIDC_ISSUER],
    ['BACKOFFICE_URL', outside, 'http://backoffice.example.com'],
    ['BACKOFFICE_URL', outside, 'https://backoffice.example.com/console'],
    ['BACKOFFICE_URL', outside, 'backoffice.example.com'],
    ['BACKOFFICE_URL', {}, here.BACKOFFICE_URL],
    ['BACKOFFICE_URL', {}, undefined],
  ])('when operators sign in, with %s %j %s, then it does not start', (name, environment, value) => {
    expect(() => loadConfig(config, { ...good, ...signIn, ...environment, [name]: value })).toThrow(
      new RegExp(`^${name} is (missing|not valid): expected `),
    );
  });

  it('when all of it is https, or http of this machine outside production, then that is taken', () => {
    const BACKOFFICE_URL = 'https://backoffice.example.com';
    expect(loadConfig(config, { ...good, ...signIn })).toMatchObject({ ...signIn, BACKOFFICE_URL });
    expect(loadConfig(config, { ...good, ...signIn, ...outside, ...here })).toMatchObject(here);
    const byIpv6 = { BACKOFFICE_URL: 'http://[::1]:8090' };
    expect(loadConfig(config, { ...good, ...outside, ...byIpv6 })).toMatchObject(byIpv6);
  });
});
