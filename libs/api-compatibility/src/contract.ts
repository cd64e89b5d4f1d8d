/** Whatever JSON can say. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

/** A JSON object. */
export type JsonObject = Readonly<Record<string, Json>>;

/**
 * A schema with what a caller can tell apart and no prose. There is one way to say a thing: null in a type, in an `anyOf` or among
 * the words of an enum is `nullable`, a `const` is an enum of one word, `anyOf` is `oneOf`, and a bound has its inclusive or exclusive
 * name only once.
 */
export interface Schema {
  /** The name of a schema of the contract; what stands beside it adds to that. */
  readonly $ref?: string;
  readonly type?: string;
  readonly nullable?: true;
  readonly enum?: readonly Json[];
  /** More words, or forms of a `oneOf`, may come one day, and partners know that. */
  readonly extensible?: true;
  readonly format?: string;
  readonly pattern?: string;
  readonly multipleOf?: number;
  readonly minimum?: number;
  readonly exclusiveMinimum?: number;
  readonly maximum?: number;
  readonly exclusiveMaximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: true;
  readonly default?: Json;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  /** False where a field that the schema does not name is refused. */
  readonly additionalProperties?: false | Schema;
  readonly oneOf?: readonly Schema[];
  readonly discriminator?: string;
}

/** A parameter or a header. */
export interface Field {
  readonly required?: true;
  readonly schema: Schema;
}

/** Schemas by media type. */
export type Content = Readonly<Record<string, Schema>>;

/** What one status brings. */
export interface Response {
  /** The error codes that come with it. */
  readonly codes?: readonly string[];
  readonly headers?: Readonly<Record<string, Field>>;
  readonly content?: Content;
}

/** An operation, or an event under `webhooks`, where the platform sends the request. */
export interface Operation {
  readonly operationId: string;
  /** The security schemes, any of which is enough; none for whoever comes. */
  readonly security?: readonly string[];
  /** By place and name, such as `query page`; headers in lower case. */
  readonly parameters?: Readonly<Record<string, Field>>;
  readonly body?: { readonly required?: true; readonly content: Content };
  readonly responses: Readonly<Record<string, Response>>;
}

/** What partners rely on of an OpenAPI document: what a release keeps, and the next one is compared with. */
export interface Contract {
  readonly securitySchemes: Readonly<Record<string, JsonObject>>;
  /** What every error of every operation has beside its codes. */
  readonly errors?: Pick<Response, 'headers' | 'content'>;
  /** By method and path, such as `GET /api/v1/orders`. */
  readonly operations: Readonly<Record<string, Operation>>;
  readonly webhooks: Readonly<Record<string, Operation>>;
  readonly schemas: Readonly<Record<string, Schema>>;
}
