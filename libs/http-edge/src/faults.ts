import type { z } from 'zod';
import type { ErrorCode, FieldFault } from '@reseller/errors';

/** A fault of a request; `code` is answered instead of VALIDATION_FAILED when the request has no other kind of fault. */
export interface RequestFault extends FieldFault {
  readonly code?: ErrorCode;
}

const TYPE_NAMES: Record<string, string> = {
  string: 'must be a string',
  number: 'must be a JSON number',
  int: 'must be a whole number',
  boolean: 'must be true or false',
  array: 'must be an array',
  object: 'must be an object',
};

/** Says a fault in words that complete "<path> …"; messages a schema brings along go first. */
export const describeIssue: z.core.$ZodErrorMap = (issue) => {
  if (issue.code === 'invalid_type') {
    return issue.input === undefined
      ? 'is required'
      : (TYPE_NAMES[issue.expected] ?? `must be ${issue.expected}`);
  }
  if (issue.code === 'invalid_value') {
    return issue.input === undefined
      ? 'is required'
      : `must be one of ${issue.values.map(String).join(', ')}`;
  }
  if (issue.code === 'too_big') return `must be at most ${String(issue.maximum)}`;
  if (issue.code === 'too_small') return `must be at least ${String(issue.minimum)}`;
  return 'is not valid';
};

/**
 * One entry for each fault, unknown fields at their own path (spec §1.2). A refinement gives its fault a code of its
 * own by `params: { errorCode }`.
 */
export function toFaults(error: z.ZodError): RequestFault[] {
  return error.issues.flatMap((issue) => {
    const path = issue.path.map(String);
    if (issue.code === 'unrecognized_keys') {
      return issue.keys.map((key) => ({ path: [...path, key].join('.'), message: 'is not a known field' }));
    }
    const code = issue.code === 'custom' ? (issue.params?.['errorCode'] as ErrorCode | undefined) : undefined;
    return [{ path: path.join('.'), message: issue.message, ...(code && { code }) }];
  });
}

const hasUnstorable = (text: string): boolean => text.includes('\u0000') || /\p{Surrogate}/u.test(text);

/** Faults for every string in a value that holds a NUL or half a surrogate pair, which no database can keep. */
export function findUnstorableText(root: unknown): FieldFault[] {
  const faults: FieldFault[] = [];
  // A stack of our own: bodies may be nested deeper than calls can be.
  const open: { path: string; value: unknown }[] = [{ path: '', value: root }];
  for (let next = open.pop(); next; next = open.pop()) {
    const { path, value } = next;
    if (typeof value === 'string') {
      if (hasUnstorable(value))
        faults.push({ path, message: 'must not hold NUL characters or lone surrogates' });
    } else if (typeof value === 'object' && value !== null) {
      for (const [key, child] of Object.entries(value)) {
        open.push({ path: path === '' ? key : `${path}.${key}`, value: child });
      }
    }
  }
  return faults;
}
