import type { z } from 'zod';
import { InexactNumber } from './parse-json';

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
    if (issue.input instanceof InexactNumber && (issue.expected === 'number' || issue.expected === 'int'))
      return 'is too large, or has more digits than a double keeps; send at most 15 digits';
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
