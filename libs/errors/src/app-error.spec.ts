import { describe, expect, it } from '@jest/globals';
import { AppError, ERROR_CATALOGUE, isAppError, isErrorCode, validationFailed } from './index';

describe('AppError', () => {
  it('when details hold no message, then the sentence is the catalogue’s', () => {
    expect(new AppError('NOT_FOUND_WALLET').message).toBe(ERROR_CATALOGUE.NOT_FOUND_WALLET.message);
  });

  it('when details hold a message, then it replaces the sentence', () => {
    expect(new AppError('NOT_FOUND_WALLET', { message: 'No live wallet.' }).message).toBe('No live wallet.');
  });

  it('when a cause is given, then it is kept but is no part of code, message or details', () => {
    const error = new AppError('INTERNAL_ERROR', {}, { cause: new Error('SELECT secret') });
    expect(isAppError(error)).toBe(true);
    expect(JSON.stringify([error.code, error.message, error.details])).not.toContain('SELECT');
    expect(String(error.cause)).toContain('SELECT');
  });

  it('when something else was thrown, then it is no AppError', () => {
    expect([new Error('x'), null, 'NOT_FOUND_WALLET', { code: 'NOT_FOUND_WALLET' }].some(isAppError)).toBe(
      false,
    );
  });

  it('when a name is inherited by every object, then it is no code', () => {
    expect([isErrorCode('toString'), isErrorCode('RATE_LIMITED')]).toEqual([false, true]);
  });
});

describe('validationFailed', () => {
  it('when several fields are wrong, then all of them are listed and the sentence counts them', () => {
    const errors = [
      { path: 'amount', message: 'must be above 0' },
      { path: 'lines.0.quantity', message: 'must be a whole number' },
    ];
    const error = validationFailed(errors);
    expect(error).toMatchObject({ code: 'VALIDATION_FAILED', details: { errors } });
    expect(error.message).toContain('2 fields that are missing or wrong');
  });

  it('when one field is wrong, then the sentence speaks of one', () => {
    expect(validationFailed([{ path: 'amount', message: 'is missing' }]).message).toContain(
      'one field that is',
    );
  });
});
