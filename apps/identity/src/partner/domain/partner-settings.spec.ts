import { describe, expect, it } from '@jest/globals';
import { findSettingFaults, normalizeCommissionRate, type PartnerSettings } from './partner-settings';

const fit: Partial<PartnerSettings>[] = [
  { name: 'A' },
  { name: 'ش'.repeat(200) },
  { name: '😀'.repeat(200) },
  { displayCurrency: 'USD' },
  { displayCurrency: null },
  { taxRegistrationNumber: '3'.repeat(64) },
  { commissionRate: '0' },
  { commissionRate: '1' },
  { commissionRate: '1.000000' },
  { commissionRate: '0.123456' },
  { billingEmail: 'billing+sa@acme.example.com' },
];

const unfit: [keyof PartnerSettings, string][] = [
  ['name', ''],
  ['name', '   '],
  ['name', 'x'.repeat(201)],
  ['name', 'a\u0000b'],
  ['displayCurrency', 'usd'],
  ['displayCurrency', 'XYZ'],
  ['taxRegistrationNumber', '3'.repeat(65)],
  ['taxRegistrationNumber', '12\n34'],
  ['commissionRate', '1.000001'],
  ['commissionRate', '-0.1'],
  ['commissionRate', '0.1234567'],
  ['commissionRate', '10'],
  ['commissionRate', '1e-1'],
  ['commissionRate', 'NaN'],
  ['billingEmail', 'nobody'],
  ['language', 'fr'],
  ['billingEmail', 'a@b'],
  ['billingEmail', 'a b@c.de'],
  ['billingEmail', `${'a'.repeat(250)}@b.cd`],
];

describe('partner settings', () => {
  it.each(fit)('when %j is given, then nothing is wrong', (settings) => {
    expect(findSettingFaults(settings)).toEqual([]);
  });

  it.each(unfit)('when %s is %j, then that field is named', (path, value) => {
    expect(findSettingFaults({ [path]: value }).map((fault) => fault.path)).toEqual([path]);
  });

  it('when several are unfit, then each is named once', () => {
    const faults = findSettingFaults({
      name: '',
      displayCurrency: '',
      commissionRate: '',
      billingEmail: 'x',
    });
    expect(faults.map((fault) => fault.path)).toEqual([
      'name',
      'displayCurrency',
      'commissionRate',
      'billingEmail',
    ]);
  });

  it('when a rate is written differently, then it counts as the same', () => {
    expect(['0.10', '0.1', '0.100000'].map(normalizeCommissionRate)).toEqual(['0.1', '0.1', '0.1']);
    expect(normalizeCommissionRate('0.000001')).toBe('0.000001');
  });
});
