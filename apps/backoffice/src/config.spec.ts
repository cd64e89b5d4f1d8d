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
});
