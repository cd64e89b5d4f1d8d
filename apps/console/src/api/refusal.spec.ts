import { expect, it } from '@jest/globals';
import { Refusal, refusalOf } from './refusal';

it.each([
  ['UNAUTHORIZED_INVALID_TOKEN', 'signIn'],
  ['FORBIDDEN_CSRF', 'signIn'],
  ['FORBIDDEN_OPERATOR_ROLE', 'role'],
  ['CONFLICT_APPROVAL_REQUIRED', 'approval'],
  ['CONFLICT_ORDER_STATE', 'reload'],
  ['RATE_LIMITED', 'later'],
  ['UNREACHABLE', 'later'],
  ['VALIDATION_FAILED', 'input'],
  ['NOT_FOUND_ORDER', 'missing'],
  ['INTERNAL_ERROR', 'report'],
])('when the API refuses with %s, then the advice is %s', (code, advice) => {
  expect(new Refusal(code, '').advice).toBe(advice);
});

it('when something fails that is no response, then it is shown in its own words', () => {
  expect(refusalOf(new Error('out of paper'))).toMatchObject({ code: 'CONSOLE', message: 'out of paper' });
});
