import { describe, expect, it } from '@jest/globals';
import { misspeltSettings } from './misspelt-settings';

const settings = ['REDIS_URL', 'FOUR_EYES_ABOVE_SAR', 'TRUST_PROXY', 'GRPC_HOST', 'GRPC_PORT'];

describe('settings that are misspelt', () => {
  it.each([
    ['REDIS_ULR', 'REDIS_URL'],
    ['FOUR_EYES_ABOVE_SARS', 'FOUR_EYES_ABOVE_SAR'],
    ['TRUSTED_PROXY', 'TRUST_PROXY'],
  ])('when %s is set, then it is taken for %s, unless that is given too', (given, meant) => {
    expect(misspeltSettings(settings, { [given]: 'x', GRPC_PORT: '1' })).toEqual([{ given, meant }]);
    expect(misspeltSettings(settings, { [given]: 'x', [meant]: 'x' })).toEqual([]);
  });

  it('when what is set is a setting, empty or something else, then nothing is said', () => {
    const env = { GRPC_PORT: '1', REDIS_ULR: '', PATH: '/bin', TRUST_PROXY_HEADERS: 'x' };
    expect(misspeltSettings(settings, env)).toEqual([]);
  });
});
