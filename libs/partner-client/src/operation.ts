import type { Decimal, DecimalForm, WithDecimals } from './decimals.ts';
import type { components, operations } from './generated/api.ts';

type Flat<T> = { [Key in keyof T]: T[Key] };
type Known<T> = [T] extends [never] ? unknown : T;
/** The type of a field that may be left out; unknown where there is none. */
type Part<T, Key extends PropertyKey> = T extends { [K in Key]?: infer Value }
  ? Known<NonNullable<Value>>
  : unknown;
/** A query as it may be given: what is true or false on the wire is a boolean here. */
type Query<T> = { [Key in keyof T]: NonNullable<T[Key]> extends 'true' | 'false' ? boolean : T[Key] };
type Body<T> = T extends { 'application/json': infer Json }
  ? Json
  : T extends { 'text/csv': string }
    ? { /** The file's text. */ csv: string }
    : unknown;

/** What an operation takes: the fields of its address, its query and its body in one object; decimals as numbers or text. */
export type InputOf<Id extends OperationId> = WithDecimals<
  Flat<
    Part<operations[Id]['parameters'], 'path'> &
      Query<Part<operations[Id]['parameters'], 'query'>> &
      Body<Part<Part<operations[Id], 'requestBody'>, 'content'>>
  >,
  number | string
>;

type Success<T> = T extends { 200: infer Response }
  ? Response
  : T extends { 201: infer Response }
    ? Response
    : never;
type Content<T> = T extends { content: { 'application/json': { payload: infer Payload } } }
  ? Payload
  : T extends { content: { 'application/pdf': unknown } }
    ? Uint8Array
    : never;
type DecimalOf<Form extends DecimalForm> = Form extends 'string' ? string : number;
type InForm<T, Form extends DecimalForm> = T extends Uint8Array ? T : WithDecimals<T, DecimalOf<Form>>;

/** What an operation returns: the response's payload, or the bytes of a PDF. */
export type OutputOf<Id extends OperationId, Form extends DecimalForm = 'number'> = InForm<
  Content<Success<operations[Id]['responses']>>,
  Form
>;

/** The id of an operation, as the API's reference has it. */
export type OperationId = Exclude<keyof operations, 'createToken'>;

/** One of the API's named shapes, such as `Schema<'TopupOrder'>`. */
export type Schema<Name extends keyof components['schemas'], Form extends DecimalForm = 'number'> = InForm<
  components['schemas'][Name],
  Form
>;

interface Paged {
  items: unknown[];
  pagination: object;
}

/** A page when awaited; every item of every page when iterated. */
export type Pages<Page> = Promise<Page> & AsyncIterable<Extract<Page, Paged>['items'][number]>;

type Result<Output> = [Extract<Output, Paged>] extends [never] ? Promise<Output> : Pages<Output>;

/** How one call is made. Each may be left out. */
export interface CallOptions {
  /** Ends the call, its waits and its retries. */
  signal?: AbortSignal;
  /** After how long the call with all of its retries gives up; the client's own unless given. */
  timeoutMs?: number;
  /** After how long one attempt does; the client's own unless given. */
  attemptTimeoutMs?: number;
  /** Makes a create without an externalReference safe to repeat, also by another process; made for you unless given. */
  idempotencyKey?: string;
  /** Your id for the call in our logs; made for you unless given. */
  requestId?: string;
  /** Sandbox only: rehearses a fault of the first attempt; the ones after it go through. */
  sandboxFault?: Schema<'SandboxFault'>;
}

/** A method of the client. */
export type Operation<Id extends OperationId, Form extends DecimalForm> =
  Partial<InputOf<Id>> extends InputOf<Id>
    ? (input?: InputOf<Id>, options?: CallOptions) => Result<OutputOf<Id, Form>>
    : (input: InputOf<Id>, options?: CallOptions) => Result<OutputOf<Id, Form>>;

export type { Decimal };
