import type { FieldFault } from '@reseller/errors';
import type { z } from 'zod';
import { compileTextCheck, type TextCheck } from './declared-text';
import { describeIssue } from './describe-issue';
import type { RawParams } from './match-route';
import { parseQuery } from './parse-query';
import { RequestFaults } from './request-faults';

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
 * that all of its faults share. `others` are faults of what is no part of them, such as a header.
 */
export type Validator = (
  params: RawParams,
  search: string,
  body: Record<string, unknown>,
  others?: readonly FieldFault[],
) => ValidInput;

const NOTHING: Record<string, unknown> = Object.freeze({});

const BADLY_ENCODED = 'must be percent-encoded UTF-8';

/** Prepares a route's validator once, so that a request builds no schema. */
export function compileValidator(route: RequestShape): Validator {
  const params = route.params && compilePart(route.params);
  const query = route.query && compilePart(route.query);
  const body = route.body && compilePart(requireStrict(route.body), route.anyText);
  const known = new Set(Object.keys(route.query?.shape ?? {}));
  return (rawParams, search, rawBody, others = []) => {
    const faults = new RequestFaults();
    for (const fault of others) faults.add(fault);
    const input = {
      params: params ? checkParams(params, rawParams, faults) : NOTHING,
      query: query ? checkQuery(query, known, search, faults) : NOTHING,
      body: body ? check(body, rawBody, faults) : NOTHING,
    };
    faults.end();
    return input;
  };
}

/** One part of a request, ready to be checked. */
interface Part {
  readonly schema: z.ZodObject;
  readonly checkText: TextCheck;
}

const compilePart = (schema: z.ZodObject, anyText?: readonly string[]): Part => ({
  schema,
  checkText: compileTextCheck(schema, anyText),
});

/** Throws for a body that would take a field it does not know (spec §1.7). */
function requireStrict(body: z.ZodObject): z.ZodObject {
  if (body.def.catchall?._zod.def.type !== 'never')
    throw new Error(`the body of ${Object.keys(body.shape).join(', ')} is not a strict object`);
  return body;
}

function check(part: Part, value: Record<string, unknown>, faults: RequestFaults): Record<string, unknown> {
  part.checkText(value, faults);
  const result = part.schema.safeParse(value, { error: describeIssue });
  if (result.success) return result.data;
  faults.addIssues(result.error.issues);
  return NOTHING;
}

function checkParams(part: Part, params: RawParams, faults: RequestFaults): Record<string, unknown> {
  const malformed = Object.keys(params).filter((name) => params[name] === undefined);
  if (malformed.length === 0) return check(part, params, faults);
  for (const path of malformed) faults.add({ path, message: BADLY_ENCODED });
  return NOTHING;
}

function checkQuery(
  part: Part,
  known: ReadonlySet<string>,
  search: string,
  faults: RequestFaults,
): Record<string, unknown> {
  const parsed = parseQuery(search, known);
  for (const fault of parsed.faults) faults.add(fault);
  return check(part, parsed.values, faults);
}
