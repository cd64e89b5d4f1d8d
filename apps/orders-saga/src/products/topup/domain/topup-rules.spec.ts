import { describe, expect, it } from '@jest/globals';
import { isAppError } from '@reseller/errors';
import type { GeoScope } from '../../../geo-scope/domain/geo-scope';
import { checkTopup } from './topup-rules';

const scope = (country: string): GeoScope => ({
  globalId: `GEO-${country}`,
  name: country,
  country,
  currency: 'SAR',
  topup: { minAmount: '5.00', maxAmount: '500.00' },
  sellsEsim: true,
});

function codeOf(amount: string, phoneNumber: string, geoScope: GeoScope | undefined): string {
  try {
    checkTopup({ geoScopeGlobalId: 'GEO', amount, phoneNumber }, geoScope);
    return 'ok';
  } catch (error) {
    return isAppError(error) ? error.code : String(error);
  }
}

describe('checkTopup', () => {
  it.each([
    ['+966500000001', 'SA', 'ok'],
    ['+966512345678', 'SA', 'ok'],
    ['+971500000001', 'AE', 'ok'],
    ['+201000000001', 'EG', 'ok'],
    ['+12025550001', 'US', 'ok'],
    ['+15550100001', 'US', 'ok'],
    ['+14165550001', 'US', 'BUSINESS_PHONE_NOT_IN_GEO_SCOPE'],
    ['+966500000001', 'AE', 'BUSINESS_PHONE_NOT_IN_GEO_SCOPE'],
    ['+966111', 'SA', 'BUSINESS_PHONE_NOT_IN_GEO_SCOPE'],
    ['+9660501234567', 'SA', 'BUSINESS_PHONE_NOT_IN_GEO_SCOPE'],
    ['+96600501234567', 'SA', 'BUSINESS_PHONE_NOT_IN_GEO_SCOPE'],
  ])('when %s is topped up in %s, then the response is %s', (phoneNumber, country, expected) => {
    expect(codeOf('10.00', phoneNumber, scope(country))).toBe(expected);
  });

  it.each([
    ['4.99', 'BUSINESS_AMOUNT_OUT_OF_RANGE'],
    ['5', 'ok'],
    ['500.00', 'ok'],
    ['500.01', 'BUSINESS_AMOUNT_OUT_OF_RANGE'],
  ])('when the amount is %s, then the response is %s', (amount, expected) => {
    expect(codeOf(amount, '+966500000001', scope('SA'))).toBe(expected);
  });

  it('when the amount is refused, then the limits are numbers (spec §1.12)', () => {
    const target = { geoScopeGlobalId: 'GEO', amount: '4.99', phoneNumber: '+966500000001' };
    const details = { minAmount: 5, maxAmount: 500, currency: 'SAR' };
    expect(() => checkTopup(target, scope('SA'))).toThrow(expect.objectContaining({ details }));
  });

  it('when the geo scope is unknown or sells no top-up, then it says so before all else', () => {
    const expected = 'BUSINESS_GEO_SCOPE_UNAVAILABLE';
    expect(codeOf('1', '+1', undefined)).toBe(expected);
    expect(codeOf('1', '+1', { ...scope('SA'), topup: null })).toBe(expected);
  });
});
