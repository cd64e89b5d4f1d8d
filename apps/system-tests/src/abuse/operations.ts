import { Validator } from '@seriousme/openapi-schema-validator';
import type { PlatformDescription } from '../platform/platform-file';
import { fieldsOf } from './fields';
import type { Field, Schema } from './fields';

/** One call of an edge: what is needed to make a sound request of it and to spoil it field by field. */
export interface Operation {
  readonly edge: 'gateway' | 'backoffice';
  readonly method: string;
  /** With its parameters in braces. */
  readonly path: string;
  readonly isAnonymous: boolean;
  readonly params: readonly string[];
  readonly query: readonly string[];
  /** A body that its document shows; undefined for a call without one. */
  readonly example: Readonly<Record<string, unknown>> | undefined;
  readonly fields: readonly Field[];
  /** The role that it needs, of a call of the backoffice. */
  readonly role: string | undefined;
  /** Where what the path names says which of several it needs: the others. */
  readonly otherRoles: readonly string[];
}

type Edges = Pick<PlatformDescription, 'gatewayUrl' | 'backofficeUrl'>;

interface DocumentedOperation {
  readonly 'x-role'?: string;
  readonly 'x-other-roles'?: readonly string[];
  readonly security?: readonly object[];
  readonly parameters?: readonly { readonly name: string; readonly in: string }[];
  readonly responses?: Record<string, { readonly content?: Record<string, unknown> }>;
  readonly requestBody?: {
    readonly content: Record<string, { readonly example?: Record<string, unknown>; readonly schema: Schema }>;
  };
}

interface OpenApi {
  readonly paths: Record<string, Record<string, DocumentedOperation>>;
}

/** Every call of both edges, by their own documents. */
export async function readOperations({ gatewayUrl, backofficeUrl }: Edges): Promise<Operation[]> {
  const [partners, operators] = await Promise.all([
    readDocument('gateway', `${gatewayUrl}/api/v1/openapi.json`),
    readDocument('backoffice', `${backofficeUrl}/ops/v1/openapi.json`),
  ]);
  return [...partners, ...operators];
}

async function readDocument(edge: Operation['edge'], url: string): Promise<Operation[]> {
  const validator = new Validator();
  const { valid, errors } = await validator.validate(
    (await (await fetch(url)).json()) as Record<string, unknown>,
  );
  if (!valid) throw new Error(`${url} is no OpenAPI document: ${JSON.stringify(errors)}`);
  const { paths } = validator.resolveRefs() as unknown as OpenApi;
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, documented]) => !isStream(documented))
      .map(([method, documented]) => toOperation(edge, path, method, documented)),
  );
}

/** A stream of events ends after a minute, however it is called; backoffice's own tests hold it to who may open it. */
const isStream = ({ responses }: DocumentedOperation): boolean =>
  responses?.['200']?.content?.['text/event-stream'] !== undefined;

function toOperation(
  edge: Operation['edge'],
  path: string,
  method: string,
  documented: DocumentedOperation,
): Operation {
  const { security, parameters = [], requestBody } = documented;
  // A file has no fields to be spoilt; what is sent in its place is of another type, or too large.
  const body = requestBody?.content['application/json'];
  const named = (place: string): string[] =>
    parameters.filter((one) => one.in === place).map((one) => one.name);
  return {
    edge,
    method: method.toUpperCase(),
    path,
    isAnonymous: security?.length === 0,
    params: named('path'),
    query: named('query'),
    example: body?.example,
    fields: body ? fieldsOf(body.schema) : [],
    role: documented['x-role'],
    otherRoles: documented['x-other-roles'] ?? [],
  };
}

/** A call's name for people. */
export const nameOf = ({ method, path }: Operation): string => `${method} ${path}`;
