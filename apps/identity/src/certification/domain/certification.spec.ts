import { describe, expect, it } from '@jest/globals';
import { fits, missingSteps, stepsOf } from './certification';

describe('the steps of a certification (spec §17.6)', () => {
  it('when a partner sells one product, then it shows an order of that one and everything else', () => {
    expect(stepsOf(['Esim'])).toEqual([
      'EsimOrder',
      'RefusalMet',
      'PendingOrderFollowed',
      'LostResponseRepeated',
      'LimitRespected',
      'DiagnosisPassed',
      'StatementRead',
    ]);
    expect(stepsOf(['Scent', 'Topup', 'Esim'])).toHaveLength(9);
  });

  it('when some are shown, then the others are missing, and what is not its product counts for nothing', () => {
    const shown = new Set(['TopupOrder', 'RefusalMet', 'LimitRespected', 'DiagnosisPassed']);
    const missing = ['PendingOrderFollowed', 'LostResponseRepeated', 'StatementRead'];
    expect(missingSteps(['Topup'], shown)).toEqual(missing);
    expect(missingSteps(['Esim'], shown)).toEqual(['EsimOrder', ...missing]);
    expect(missingSteps(['Topup'], new Set([...shown, ...missing]))).toEqual([]);
  });

  it('when a sighting shows more or less than its step can be shown by, then it does not fit', () => {
    expect(fits('RefusalMet', 'whole')).toBe(true);
    expect(fits('RefusalMet', 'first')).toBe(false);
    expect(fits('PendingOrderFollowed', 'whole')).toBe(false);
    expect(fits('PendingOrderFollowed', 'second')).toBe(true);
    for (const howMuch of ['whole', 'first', 'second'] as const)
      expect(fits('LimitRespected', howMuch)).toBe(false);
  });
});
