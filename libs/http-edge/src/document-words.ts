/** A schema on its way into an OpenAPI document, as zod-openapi hands it to an override. */
interface Said {
  readonly jsonSchema: {
    format?: string;
    pattern?: string;
    minimum?: number;
    maximum?: number;
    additionalProperties?: unknown;
  };
  readonly io: 'input' | 'output';
}

/** Takes away what JSON Schema says in one word already, for a generated client would check it twice, and what clients must not rely on. */
export function tidySchema({ jsonSchema, io }: Said): void {
  if (jsonSchema.format === 'date-time') delete jsonSchema.pattern;
  // Of zod alone: its pattern says it.
  if (jsonSchema.format === 'starts_with') delete jsonSchema.format;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  // A response may get another field one day, and a client made before that must take it.
  if (io === 'output' && jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
}
