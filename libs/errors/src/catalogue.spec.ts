import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { ERROR_CATALOGUE, type ErrorCode } from './index';

const page = readFileSync(path.join(__dirname, '../../../docs/partners/errors.md'), 'utf8');
const documented = [...page.matchAll(/^\| `([A-Z_]+)`\s*\| (\d{3})\s*\| (.+?)\s*\| (.+?)\s*\|$/gm)].map(
  ([, code = '', status = '', meaning = '', action = '']) => ({
    code,
    status: Number(status),
    meaning,
    action,
  }),
);
const entries = Object.entries(ERROR_CATALOGUE);

// spec §1.4, with the exceptions of §1.5.
const STATUS_BY_CLASS: [RegExp, number][] = [
  [/^VALIDATION_UNSUPPORTED_MEDIA_TYPE$/, 415],
  [/^VALIDATION_PAYLOAD_TOO_LARGE$/, 413],
  [/^METHOD_NOT_ALLOWED$/, 405],
  [/^VALIDATION_/, 400],
  [/^UNAUTHORIZED_/, 401],
  [/^FORBIDDEN_/, 403],
  [/^NOT_FOUND_/, 404],
  [/^CONFLICT_/, 409],
  [/^BUSINESS_/, 422],
  [/^RATE_LIMITED$/, 429],
  [/^INTERNAL_ERROR$/, 500],
  [/^SERVICE_UNAVAILABLE$/, 503],
];

describe('the error catalogue', () => {
  it('when a code is in the catalogue, then the page for partners has it once with its status, and the other way round', () => {
    const inCatalogue = entries.map(([code, { status }]) => `${code} ${status}`).sort();
    expect(documented.map(({ code, status }) => `${code} ${status}`).sort()).toEqual(inCatalogue);
  });

  it('when the page names a code in its text, then the catalogue has it', () => {
    const named =
      page.match(/\b(VALIDATION|UNAUTHORIZED|FORBIDDEN|NOT_FOUND|CONFLICT|BUSINESS)_[A-Z_]+\b/g) ?? [];
    expect(named.filter((code) => !(code in ERROR_CATALOGUE))).toEqual([]);
  });

  it.each(entries)('when the code is %s, then its status is that of its class', (code, { status }) => {
    expect(status).toBe(STATUS_BY_CLASS.find(([pattern]) => pattern.test(code))?.[1]);
  });

  it.each(entries)(
    'when %s is shown, then it reads as one plain sentence that says what to do',
    (_code, { message }) => {
      expect(message).toMatch(/^[A-Z][^.]*[;,][^.]*\.$/);
      expect(message.length).toBeLessThanOrEqual(120);
      expect(message).not.toMatch(/null|undefined|exception|[A-Z]+_[A-Z]+/);
    },
  );

  it('when repeating the same request may help, then the code is retryable, and no other', () => {
    const retryable: ErrorCode[] = [
      'CONFLICT_ORDER_IN_PROGRESS',
      'CONFLICT_CART_HAS_PENDING_ORDER',
      'CONFLICT_CART_CHECKOUT_RACE',
      'CONFLICT_REQUEST_IN_PROGRESS',
      'RATE_LIMITED',
      'INTERNAL_ERROR',
      'SERVICE_UNAVAILABLE',
    ];
    expect(entries.filter(([, entry]) => entry.retryable).map(([code]) => code)).toEqual(retryable);
  });
});
