import { spreadErrors } from './common-errors';
import type { Contract, Operation } from './contract';
import { operationBreaks, type Comparison, type OperationBreak } from './operation-breaks';

/** Something that partners relied on and that is no longer so, wherever it is. */
interface Break extends OperationBreak {
  /** The operations it is in, such as `GET /api/v1/orders (listOrders)`, or events. */
  readonly operations: readonly string[];
}

/** What partners relied on in one contract and do not find in the next. */
export function contractBreaks(released: Contract, current: Contract): readonly Break[] {
  const [was, is] = [spreadErrors(released), spreadErrors(current)];
  const comparison: Comparison = { was, is, knownStatuses: statusesOf(was) };
  const moved = new Map(Object.entries(is.operations).map(([name, { operationId }]) => [operationId, name]));
  return grouped([
    ...schemeBreaks(was, is),
    ...Object.entries(was.operations).flatMap(([name, operation]) =>
      inOperation(
        `${name} (${operation.operationId})`,
        operation,
        is.operations[name],
        (before, after) => operationBreaks(comparison, before, after, 'by partners'),
        moved.get(operation.operationId),
      ),
    ),
    ...Object.entries(was.webhooks).flatMap(([name, event]) =>
      inOperation(`webhook ${name}`, event, is.webhooks[name], (before, after) =>
        operationBreaks(comparison, before, after, 'to partners'),
      ),
    ),
  ]);
}

/** So many of the operations that share a break are named in its sentence. */
const MOST_NAMED = 2;

/** A break as a sentence for people: which operation, which field, what broke, what to do. */
export function sentenceOf({ operations, part, field, says, remedy }: Break): string {
  const others = operations.length - MOST_NAMED;
  const where = operations.slice(0, MOST_NAMED).join(', ') + (others > 0 ? ` and ${others} more` : '');
  const what = [where, part, field && `\`${field}\``].filter((text) => text !== '').join(', ');
  return `${what}: ${says}. ${remedy}`;
}

interface Found {
  readonly operation: string;
  readonly found: OperationBreak;
}

const whole = (says: string, remedy: string): OperationBreak => ({
  part: '',
  field: '',
  says,
  remedy,
  owner: '',
});

const statusesOf = ({ operations }: Contract): ReadonlySet<string> =>
  new Set(Object.values(operations).flatMap(({ responses }) => Object.keys(responses)));

function inOperation(
  name: string,
  was: Operation,
  is: Operation | undefined,
  compare: (was: Operation, is: Operation) => readonly OperationBreak[],
  movedTo?: string,
): readonly Found[] {
  return (is ? compare(was, is) : [gone(name, movedTo)]).map((found) => ({ operation: name, found }));
}

/** An operation that is not where it was; `movedTo` is where its operationId is now. */
function gone(name: string, movedTo?: string): OperationBreak {
  if (movedTo === undefined) return whole('is not there any more', 'Keep it.');
  const unnamed = (path: string): string => path.replaceAll(/\{\w+\}/g, '{}');
  if (unnamed(name).startsWith(`${unnamed(movedTo)} `))
    return whole(
      `names the parameters of its path as in ${movedTo}`,
      'Keep the names, by which generated clients pass them.',
    );
  return whole(`moved to ${movedTo}`, 'Keep it where it was as well.');
}

function schemeBreaks(was: Contract, is: Contract): readonly Found[] {
  return Object.entries(was.securitySchemes)
    .filter(([name, scheme]) => textOf(scheme) !== textOf(is.securitySchemes[name]))
    .map(([name]) => ({
      operation: `security scheme ${name}`,
      found: whole('is not what it was', 'Take what callers show today.'),
    }));
}

/** The same text for the same object, in whatever order its keys are. */
const textOf = (object: object | undefined): string =>
  JSON.stringify(Object.entries(object ?? {}).sort(([a], [b]) => (a < b ? -1 : 1)));

/** What several operations have from one schema, or in the same words, is one break. */
function grouped(all: readonly Found[]): readonly Break[] {
  const groups = new Map<string, Break>();
  for (const { operation, found } of all) {
    const { part, owner, says } = found;
    const isWholeOperation = part === '';
    const key = [isWholeOperation ? operation : owner || part, says].join('|');
    const group = groups.get(key);
    const operations = group?.operations ?? [];
    groups.set(key, {
      ...(group ?? found),
      operations: operations.includes(operation) ? operations : [...operations, operation],
    });
  }
  return [...groups.values()];
}
