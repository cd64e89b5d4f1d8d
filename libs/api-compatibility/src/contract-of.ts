import type { Content, Contract, Field, Json, JsonObject, Operation, Response } from './contract';
import { gatherErrors, isError } from './common-errors';
import { schemaOf } from './schema-of';

const METHODS = new Set(['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace']);

const isObject = (json: Json | undefined): json is JsonObject =>
  typeof json === 'object' && json !== null && !Array.isArray(json);
const objectOf = (json: Json | undefined): JsonObject => (isObject(json) ? json : {});
const listOf = (json: Json | undefined): readonly Json[] =>
  Array.isArray(json) ? (json as readonly Json[]) : [];

const mapped = <T>(
  object: Json | undefined,
  make: (value: Json, key: string) => T,
): Readonly<Record<string, T>> =>
  Object.fromEntries(Object.entries(objectOf(object)).map(([key, value]) => [key, make(value, key)]));

/** The part under its name, unless it is empty. */
const unlessEmpty = <K extends string, T extends object>(key: K, part: T): Partial<Record<K, T>> =>
  Object.keys(part).length > 0 ? ({ [key]: part } as Record<K, T>) : {};

/** What partners rely on of an OpenAPI 3.1 document; prose, examples, tags and links are left out, error codes are kept. */
export function contractOf(document: object): Contract {
  const root = JSON.parse(JSON.stringify(document)) as JsonObject;
  const components = objectOf(root['components']);

  /** What a reference to a component other than a schema leads to. */
  function resolved(json: Json | undefined): JsonObject {
    const { $ref } = objectOf(json);
    if (typeof $ref !== 'string') return objectOf(json);
    const [, , kind, name] = $ref.split('/');
    const component = objectOf(components[kind ?? ''])[name ?? ''];
    if (component === undefined) throw new Error(`the document refers to ${$ref}, which it does not have`);
    return resolved(component);
  }

  const contentOf = (content: Json | undefined): Content =>
    mapped(content, (media) => schemaOf(objectOf(media)['schema'] ?? {}));

  function fieldOf(json: Json): Field {
    const { required, schema } = resolved(json);
    return { ...(required === true && { required }), schema: schemaOf(schema ?? {}) };
  }

  function parametersOf(parameters: readonly Json[]): Readonly<Record<string, Field>> {
    return Object.fromEntries(
      parameters.map((parameter) => {
        const { in: place, name } = resolved(parameter);
        const known = place === 'header' ? String(name).toLowerCase() : String(name);
        return [`${String(place)} ${known}`, fieldOf(parameter)];
      }),
    );
  }

  function responseOf(json: Json, status: string): Response {
    const { headers, content } = resolved(json);
    // The document names the codes of a status by their examples.
    const codes = Object.values(objectOf(content)).flatMap((media) =>
      Object.keys(objectOf(objectOf(media)['examples'])),
    );
    return {
      ...(isError(status) && codes.length > 0 && { codes: codes.sort() }),
      ...unlessEmpty('headers', mapped(headers, fieldOf)),
      ...unlessEmpty('content', contentOf(content)),
    };
  }

  function bodyOf(json: Json | undefined): Pick<Operation, 'body'> {
    if (json === undefined) return {};
    const { required, content } = resolved(json);
    return { body: { ...(required === true && { required }), content: contentOf(content) } };
  }

  function operationOf(json: Json, shared: readonly Json[]): Operation {
    const { operationId, security, parameters, requestBody, responses } = objectOf(json);
    const schemes = listOf(security ?? root['security']).flatMap((either) =>
      Object.keys(objectOf(either)).sort().join('+'),
    );
    return {
      operationId: String(operationId),
      ...(schemes.length > 0 && { security: schemes.sort() }),
      ...unlessEmpty('parameters', parametersOf([...shared, ...listOf(parameters)])),
      ...bodyOf(requestBody),
      responses: mapped(responses, responseOf),
    };
  }

  /** The operations of each path, under the name that is made of its method and the path. */
  function operationsOf(
    paths: Json | undefined,
    nameOf: (method: string, path: string) => string,
  ): Contract['operations'] {
    return Object.fromEntries(
      Object.entries(objectOf(paths)).flatMap(([path, item]) => {
        const shared = listOf(objectOf(item)['parameters']);
        return Object.entries(objectOf(item))
          .filter(([method]) => METHODS.has(method))
          .map(([method, operation]) => [nameOf(method.toUpperCase(), path), operationOf(operation, shared)]);
      }),
    );
  }

  return gatherErrors({
    securitySchemes: mapped(components['securitySchemes'], (scheme) => {
      const { description: _description, bearerFormat: _format, ...others } = objectOf(scheme);
      return others;
    }),
    operations: operationsOf(root['paths'], (method, path) => `${method} ${path}`),
    webhooks: operationsOf(root['webhooks'], (_method, name) => name),
    schemas: mapped(components['schemas'], schemaOf),
  });
}
