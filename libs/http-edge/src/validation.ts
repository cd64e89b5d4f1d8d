import { validationFailed, type FieldFault } from '@reseller/errors';
import type { z } from 'zod';

function faultsOf(issue: z.core.$ZodIssue): FieldFault[] {
  const at = issue.path.map(String);
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({
      path: [...at, key].join('.'),
      message: 'is not a field of this request',
    }));
  }
  const isAbsent = issue.code === 'invalid_type' && issue.input === undefined;
  return [{ path: at.join('.'), message: isAbsent ? 'is required' : issue.message }];
}

/** Parses a part of a request, adding every fault found to the list; the value is only good while the list is empty. */
function parsePart(schema: z.ZodObject | undefined, value: unknown, faults: FieldFault[]): unknown {
  if (!schema) return {};
  const result = schema.safeParse(value, { reportInput: true });
  if (result.success) return result.data;
  faults.push(...result.error.issues.flatMap(faultsOf));
  return undefined;
}

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
  if (faults.length > 0) throw validationFailed(faults);
  return parsed;
}
