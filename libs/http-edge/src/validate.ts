import type { z } from 'zod';
import { AppError, validationFailed } from '@reseller/errors';
import { describeIssue, findUnstorableText, toFaults, type RequestFault } from './faults';
import type { RawParams } from './match-route';
import { parseQuery } from './parse-query';

/** What a route declares of its requests; a part it does not name is not looked at. */
export interface RequestShape {
  readonly params?: z.ZodObject;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodObject;
  /** Fields of the body whose text is handed on whatever it holds, because the service behind it judges it. */
  readonly anyText?: readonly string[];
}

/** A request's validated parts. */
export interface ValidInput {
  params: Record<string, unknown>;
  query: Record<string, unknown>;
  body: Record<string, unknown>;
}

/**
 * Checks a request against its route's schemas; throws VALIDATION_FAILED with every fault of all its parts, or the code
 * that all of its faults share.
 */
export type Validator = (params: RawParams, search: string, body: Record<string, unknown>) => ValidInput;

const NOTHING: Record<string, unknown> = Object.freeze({});

const BADLY_ENCODED = 'must be percent-encoded UTF-8';

/** Prepares a route's validator once, so that a request builds no schema. */
export function compileValidator(route: RequestShape): Validator {
  const known = new Set(Object.keys(route.query?.shape ?? {}));
  return (params, search, body) => {
    const faults: RequestFault[] = [];
    const input = {
      params: route.params ? checkParams(route.params, params, faults) : NOTHING,
      query: route.query ? checkQuery(route.query, known, search, faults) : NOTHING,
      body: route.body ? check(route.body, body, faults, route.anyText) : NOTHING,
    };
    if (faults.length > 0) throw refusalOf(firstOfEachPath(faults));
    return input;
  };
}

function check(
  schema: z.ZodObject,
  value: Record<string, unknown>,
  faults: RequestFault[],
  anyText: readonly string[] = [],
): Record<string, unknown> {
  faults.push(...findUnstorableText(value).filter(({ path }) => !anyText.includes(path)));
  const result = schema.safeParse(value, { error: describeIssue });
  if (result.success) return result.data;
  faults.push(...toFaults(result.error));
  return NOTHING;
}

function checkParams(
  schema: z.ZodObject,
  params: RawParams,
  faults: RequestFault[],
): Record<string, unknown> {
  const malformed = Object.keys(params).filter((name) => params[name] === undefined);
  if (malformed.length === 0) return check(schema, params, faults);
  faults.push(...malformed.map((path) => ({ path, message: BADLY_ENCODED })));
  return NOTHING;
}

function checkQuery(
  schema: z.ZodObject,
  known: ReadonlySet<string>,
  search: string,
  faults: RequestFault[],
): Record<string, unknown> {
  const parsed = parseQuery(search, known);
  faults.push(...parsed.faults);
  return check(schema, parsed.values, faults);
}

// A code of its own speaks for faults of one kind; beside others they are VALIDATION_FAILED, which lists them all.
function refusalOf(faults: RequestFault[]): AppError {
  const [first] = faults;
  if (first?.code === undefined || faults.some(({ code }) => code !== first.code))
    return validationFailed(faults);
  return new AppError(first.code, { errors: faults.map(({ path, message }) => ({ path, message })) });
}

/** The first fault of each path: what follows from it would only confuse. */
function firstOfEachPath(faults: RequestFault[]): RequestFault[] {
  const seen = new Set<string>();
  return faults.filter(({ path }) => !seen.has(path) && seen.add(path));
}
