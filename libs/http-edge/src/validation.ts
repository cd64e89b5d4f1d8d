import { validationFailed, type FieldFault } from '@reseller/errors';
import type { z } from 'zod';
import { findUnstorableText } from './storable-text';

const TYPE_NAMES: Record<string, string> = {
  string: 'must be a string',
  number: 'must be a JSON number',
  boolean: 'must be true or false',
  object: 'must be an object',
};

/** Says a fault in words that complete "<path> …"; messages that a schema brings along go first. */
const describeIssue: z.core.$ZodErrorMap = (issue) => {
  if (issue.input === undefined) return 'is required';
  if (issue.code === 'invalid_type') return TYPE_NAMES[issue.expected] ?? `must be of type ${issue.expected}`;
  if (issue.code === 'invalid_value') return `must be one of ${issue.values.map(String).join(', ')}`;
  return 'is not valid';
};

function faultsOf(issue: z.core.$ZodIssue): FieldFault[] {
  const at = issue.path.map(String);
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({
      path: [...at, key].join('.'),
      message: 'is not a field of this request',
    }));
  }
  return [{ path: at.join('.'), message: issue.message }];
}

/** Parses a part of a request, adding every fault found to the list; the value is only good while the list is empty. */
function parsePart(schema: z.ZodObject | undefined, value: unknown, faults: FieldFault[]): unknown {
  if (!schema) return {};
  faults.push(...findUnstorableText(value));
  const result = schema.safeParse(value, { error: describeIssue });
  if (result.success) return result.data;
  faults.push(...result.error.issues.flatMap(faultsOf));
  return undefined;
}

/** One entry for a field, however many rules it breaks. */
const firstOfEachPath = (faults: FieldFault[]): FieldFault[] =>
  faults.filter((fault, at) => faults.findIndex(({ path }) => path === fault.path) === at);

/** What a route declares of its requests. */
export interface RequestShape {
  params?: z.ZodObject | undefined;
  query?: z.ZodObject | undefined;
  body?: z.ZodObject | undefined;
}

/** The validated parts of a request; throws VALIDATION_FAILED with every fault of all three (decisions §1.2). */
export function parseRequest(
  shape: RequestShape,
  request: { params: unknown; query: unknown; body: unknown },
): { params: unknown; query: unknown; body: unknown } {
  const faults: FieldFault[] = [];
  const parsed = {
    params: parsePart(shape.params, request.params, faults),
    query: parsePart(shape.query, request.query, faults),
    body: parsePart(shape.body, request.body, faults),
  };
  if (faults.length > 0) throw validationFailed(firstOfEachPath(faults));
  return parsed;
}
