import createClient from 'openapi-fetch';
import { numberOf } from './decimals.ts';
import type { paths } from './generated/api.ts';
import type { Repeat } from './retry.ts';

/** How an operation is called. */
export interface Route {
  readonly method: string;
  readonly path: string;
  /** The fields of its query. */
  readonly query?: readonly string[];
  /** Whether its other fields make a JSON body. */
  readonly body?: boolean;
  /** The body's fields that may come as text. */
  readonly decimals?: readonly string[];
  /** Whether its field `csv` is the body. */
  readonly csv?: boolean;
  /** Whether it responds with bytes. */
  readonly file?: boolean;
  /** Whether it is a list of pages. */
  readonly list?: boolean;
  /** By what an item of the list differs from the others. */
  readonly key?: string;
  readonly repeat?: Repeat;
}

/** What an operation takes: fields by name. */
export type Input = Readonly<Record<string, unknown>>;

/** A response that could be read. */
export interface Reply {
  status: number;
  headers: Headers;
  /** The JSON, the bytes, or the text where it was neither. */
  content: unknown;
}

/** Sends a request, the same one each time it is called. */
export type Send = (headers: Readonly<Record<string, string>>, signal: AbortSignal) => Promise<Reply>;

/** Makes a request ready to be sent; a TypeError says what is wrong with the input. */
export type Prepare = (route: Route, input: Input) => Send;

function pick(input: Input, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(
    names.flatMap((name) => (input[name] === undefined ? [] : [[name, input[name]]])),
  );
}

const namesInPath = (path: string) => [...path.matchAll(/\{(.+?)\}/g)].map(([, name = '']) => name);

/** The JSON body: what is neither in the address nor in the query, decimals as numbers. */
function bodyOf({ path, query = [], decimals = [] }: Route, input: Input): Record<string, unknown> {
  const elsewhere = new Set([...namesInPath(path), ...query]);
  const fields = Object.entries(input).filter(([name]) => !elsewhere.has(name));
  return Object.fromEntries(
    fields.map(([name, value]) => [
      name,
      decimals.includes(name) && typeof value === 'string' ? numberOf(name, value) : value,
    ]),
  );
}

/** Requests to one address through `fetch`; `parse` reads the JSON of a success. */
export function requestsTo(
  baseUrl: string,
  fetch: typeof globalThis.fetch,
  parse: (json: string) => unknown,
): Prepare {
  // A redirect that is followed may make a GET of a POST, and would take the credential elsewhere.
  const { request } = createClient<paths>({ baseUrl, redirect: 'manual', fetch: (given) => fetch(given) });
  // The route says at run time what the types of openapi-fetch would know at compile time.
  const untyped = request as unknown as (
    method: string,
    path: string,
    init: object,
  ) => Promise<{ data?: unknown; error?: unknown; response: Response }>;
  return (route, input) => {
    const inPath = namesInPath(route.path);
    // Dots alone are no part of an address: whoever reads it goes up by them, to another call.
    const unfit = inPath.find((name) => !input[name] || input[name] === '.' || input[name] === '..');
    if (unfit)
      throw new TypeError(`${unfit} is needed, and not as dots: it is part of the address ${route.path}`);
    const init = {
      params: { path: pick(input, inPath), query: pick(input, route.query ?? []) },
      ...(route.body && { body: bodyOf(route, input) }),
      ...(route.csv && { body: input.csv, bodySerializer: String }),
      parseAs: route.file ? 'arrayBuffer' : 'text',
    };
    const read = (data: unknown) =>
      route.file ? new Uint8Array(data as ArrayBuffer) : parse(data as string);
    const type = route.csv && { 'Content-Type': 'text/csv' };
    return async (headers, signal) => {
      const given = { ...init, headers: { ...headers, ...type }, signal };
      const { data, error, response } = await untyped(route.method, route.path, given);
      return {
        status: response.status,
        headers: response.headers,
        content: response.ok ? read(data) : error,
      };
    };
  };
}
