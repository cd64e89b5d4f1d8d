import type { Contract, Operation, Response } from './contract';

/** Almost all of a contract would be the same envelope and headers at each error of each operation, so they are kept once. */
type Common = NonNullable<Contract['errors']>;

/** Whether a status is an error's. */
export const isError = (status: string): boolean => /^[45]/.test(status);

const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/** The contract with what all its errors have in common said once. */
export function gatherErrors(contract: Contract): Contract {
  const all = Object.values(contract.operations).flatMap(({ responses }) =>
    Object.entries(responses).flatMap(([status, response]) => (isError(status) ? [response] : [])),
  );
  const [first] = all;
  if (!first) return contract;
  const isCommon = (name: string, field: unknown): boolean =>
    all.every(({ headers }) => same(headers?.[name], field));
  const errors: Common = {
    ...(all.every(({ content }) => same(content, first.content)) && { content: first.content }),
    headers: Object.fromEntries(
      Object.entries(first.headers ?? {}).filter(([name, field]) => isCommon(name, field)),
    ),
  };
  return {
    ...withErrors(contract, ({ content, headers = {}, ...response }) => {
      const own = Object.entries(headers).filter(([name]) => !errors.headers?.[name]);
      return {
        ...response,
        ...(!errors.content && content && { content }),
        ...(own.length > 0 && { headers: Object.fromEntries(own) }),
      };
    }),
    errors,
  };
}

/** The contract with all of each error where it comes. */
export function spreadErrors({ errors = {}, ...contract }: Contract): Contract {
  return withErrors(contract, (response) => ({
    ...response,
    content: response.content ?? errors.content ?? {},
    headers: { ...errors.headers, ...response.headers },
  }));
}

function withErrors(contract: Contract, change: (response: Response) => Response): Contract {
  const changed = ({ responses, ...operation }: Operation): Operation => ({
    ...operation,
    responses: Object.fromEntries(
      Object.entries(responses).map(([status, response]) => [
        status,
        isError(status) ? change(response) : response,
      ]),
    ),
  });
  const operations = Object.entries(contract.operations).map(
    ([name, operation]) => [name, changed(operation)] as const,
  );
  return { ...contract, operations: Object.fromEntries(operations) };
}
