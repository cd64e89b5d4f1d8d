/**
 * Of a set of words or forms that may grow, as partners know (docs/partners/changelog.md); every other set stays complete. The check of
 * breaking changes reads it (ADR 0027).
 */
export const MAY_GROW = { 'x-extensible': true } as const;
