import { isError } from './common-errors';
import type { Content, Contract, Field, Operation, Response } from './contract';
import { schemaBreaks, type Direction } from './schema-breaks';

/** One thing that partners relied on and that is no longer so, in one operation. */
export interface OperationBreak {
  /** The part of the operation, such as `request body` or `response 200`. */
  readonly part: string;
  /** The field of it, or nothing when it is about the whole part. */
  readonly field: string;
  readonly says: string;
  readonly remedy: string;
  /** The named schema and the way from it, and which way it goes: where several operations have it, it is one break. */
  readonly owner: string;
}

/** The two contracts, and the statuses of errors that partners know from anywhere in the API. */
export interface Comparison {
  readonly was: Contract;
  readonly is: Contract;
  readonly knownStatuses: ReadonlySet<string>;
}

/** What is no longer as it was in an operation that both contracts have; `sent` says who sends its request. */
export function operationBreaks(
  comparison: Comparison,
  was: Operation,
  is: Operation,
  sent: 'by partners' | 'to partners',
): readonly OperationBreak[] {
  const request = new Part(comparison, sent === 'by partners' ? 'request' : 'response');
  return [
    ...identityBreaks(was, is),
    ...request.fields('', was.parameters ?? {}, is.parameters ?? {}),
    ...bodyBreaks(request, was.body, is.body),
    ...(sent === 'by partners' ? outcomeBreaks(comparison, was, is) : acceptedBreaks(was, is)),
  ];
}

const whole = (part: string, says: string, remedy: string): OperationBreak => ({
  part,
  field: '',
  says,
  remedy,
  owner: '',
});

function identityBreaks(was: Operation, is: Operation): readonly OperationBreak[] {
  const breaks: OperationBreak[] = [];
  if (was.operationId !== is.operationId)
    breaks.push(
      whole(
        'operationId',
        `was ${was.operationId} and is ${is.operationId}`,
        'Keep the name, by which generated clients call it.',
      ),
    );
  const [before, after] = [was, is].map(({ security = [] }) => security.join(' or ') || 'none');
  if (before !== after)
    breaks.push(whole('security', `was ${before} and is ${after}`, 'Take what callers show today.'));
  return breaks;
}

/** Compares parts of an operation that go one way. */
class Part {
  constructor(
    private readonly comparison: Comparison,
    readonly direction: Direction,
  ) {}

  /** Parameters, or the headers of a response. */
  fields(
    prefix: string,
    was: Readonly<Record<string, Field>>,
    is: Readonly<Record<string, Field>>,
  ): OperationBreak[] {
    const { was: before, is: after } = this.comparison;
    // As the fields of an object, they break by the same rules.
    const [old, now] = [was, is].map((fields) => ({
      properties: Object.fromEntries(Object.entries(fields).map(([name, { schema }]) => [name, schema])),
      required: Object.entries(fields).flatMap(([name, { required }]) => (required ? [name] : [])),
    }));
    const sides = { was: before.schemas, is: after.schemas, direction: this.direction };
    return schemaBreaks(sides, old ?? {}, now ?? {}).map((found) => {
      const part = Object.keys({ ...was, ...is }).find((name) => isOf(name, found.field)) ?? found.field;
      const field = found.field.slice(part.length).replace(/^\./, '');
      return { ...found, part: `${prefix}${part}`, field, owner: this.sideOf(found) };
    });
  }

  private sideOf({ owner }: { readonly owner: string }): string {
    return `${this.direction} ${owner}`;
  }

  /** A body of any of its media types. */
  content(part: string, was: Content, is: Content): OperationBreak[] {
    const sides = {
      was: this.comparison.was.schemas,
      is: this.comparison.is.schemas,
      direction: this.direction,
    };
    return Object.entries(was).flatMap(([media, schema]) => {
      const counterpart = is[media];
      return counterpart
        ? schemaBreaks(sides, schema, counterpart).map((found) => ({
            ...found,
            part,
            owner: this.sideOf(found),
          }))
        : [whole(part, `is not ${media} any more`, 'Keep the media type.')];
    });
  }
}

const isOf = (name: string, field: string): boolean =>
  field === name || field.startsWith(`${name}.`) || field.startsWith(`${name}[`);

function bodyBreaks(part: Part, was: Operation['body'], is: Operation['body']): readonly OperationBreak[] {
  const name = part.direction === 'request' ? 'request body' : 'payload';
  if (!was)
    return is?.required && part.direction === 'request'
      ? [whole(name, 'is new and has to be sent', 'Let it be left out.')]
      : [];
  if (!is) return [whole(name, 'is not there any more', 'Keep it.')];
  const isNewlyRequired = is.required && !was.required && part.direction === 'request';
  return [
    ...(isNewlyRequired
      ? [whole(name, 'has to be sent and could be left out', 'Let it be left out still.')]
      : []),
    ...part.content(name, was.content, is.content),
  ];
}

const successesOf = ({ responses }: Operation): readonly string[] =>
  Object.keys(responses).filter((status) => !isError(status));

function outcomeBreaks(comparison: Comparison, was: Operation, is: Operation): readonly OperationBreak[] {
  const response = new Part(comparison, 'response');
  return [...successBreaks(response, was, is), ...errorBreaks(comparison, response, was, is)];
}

function successBreaks(part: Part, was: Operation, is: Operation): readonly OperationBreak[] {
  const [before, after] = [successesOf(was), successesOf(is)].map((statuses) => statuses.join(', '));
  if (before !== after) return [whole('success', `was status ${before} and is ${after}`, 'Keep the status.')];
  return successesOf(was).flatMap((status) =>
    responseBreaks(part, status, was.responses[status], is.responses[status]),
  );
}

function responseBreaks(
  part: Part,
  status: string,
  was: Response = {},
  is: Response = {},
): readonly OperationBreak[] {
  const name = `response ${status}`;
  return [
    ...part.fields(`${name} header `, was.headers ?? {}, is.headers ?? {}),
    ...part.content(name, was.content ?? {}, is.content ?? {}),
  ];
}

/** The status of each error code of an operation. */
const statusesByCode = ({ responses }: Operation): ReadonlyMap<string, string> =>
  new Map(
    Object.entries(responses).flatMap(([status, { codes = [] }]) =>
      codes.map((code) => [code, status] as const),
    ),
  );

function errorBreaks(
  { knownStatuses }: Comparison,
  part: Part,
  was: Operation,
  is: Operation,
): readonly OperationBreak[] {
  const breaks: OperationBreak[] = [];
  const after = statusesByCode(is);
  for (const [code, status] of statusesByCode(was)) {
    const now = after.get(code);
    if (now === undefined)
      breaks.push(
        whole('errors', `${code} is not there any more`, 'Keep the code for the case that it stands for.'),
      );
    else if (now !== status)
      breaks.push(
        whole('errors', `${code} was status ${status} and is ${now}`, 'Keep the status of the code.'),
      );
  }
  for (const [status, response] of Object.entries(is.responses).filter(([status]) => isError(status))) {
    const before = was.responses[status];
    if (before) breaks.push(...responseBreaks(part, status, before, withOldHeaders(before, response)));
    else if (!knownStatuses.has(status))
      breaks.push(
        whole(
          'errors',
          `status ${status} is new to the whole API`,
          'Give the new code a status that partners know.',
        ),
      );
  }
  for (const [status, { codes }] of Object.entries(was.responses))
    if (isError(status) && !codes && !is.responses[status])
      breaks.push(whole('errors', `status ${status} is not there any more`, 'Keep the status.'));
  return breaks;
}

/** A new code of a status may come without a header that the others always have: theirs is still promised. */
function withOldHeaders(was: Response, is: Response): Response {
  if (is.codes?.every((code) => was.codes?.includes(code))) return is;
  const headers = Object.entries(is.headers ?? {}).map(([name, field]) => {
    const required = was.headers?.[name]?.required;
    return [name, required ? { ...field, required } : field] as const;
  });
  return { ...is, headers: Object.fromEntries(headers) };
}

/** What a receiver may respond with. */
function acceptedBreaks(was: Operation, is: Operation): readonly OperationBreak[] {
  return Object.keys(was.responses)
    .filter((status) => !is.responses[status])
    .map((status) => whole('response', `${status} is not taken for a receipt any more`, 'Take it still.'));
}
