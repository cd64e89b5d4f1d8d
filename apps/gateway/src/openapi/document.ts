import { createDocument, type CreateDocumentOptions, type ZodOpenApiPathsObject } from 'zod-openapi';
import { PRODUCTS } from '../products';
import type { NamedRoute } from '../routes/route';
import { CHAPTERS } from './chapters';
import { enumSchemas, referToEnums } from './enums';
import { forGenerators } from './generator-forms';
import { INTRODUCTION } from './introduction';
import { operationOf } from './operation';
import { webhooks } from './webhooks';

/** What JSON Schema says in one word is not said again as a pattern or a bound: a generated client would check it twice. */
const say: CreateDocumentOptions['override'] = ({ jsonSchema, io }) => {
  if (jsonSchema.format === 'date-time') delete jsonSchema.pattern;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  // Amounts have at most 15 digits, which a double holds exactly; without a format clients in Go take a float of 32 bits.
  if (jsonSchema.type === 'number') jsonSchema.format ??= 'double';
  // A response may get another field one day, and a client made before that must take it.
  if (io === 'output' && jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
};

const { Authentication, ...others } = CHAPTERS;
const chapters: Readonly<Record<string, string>> = {
  Authentication,
  ...Object.fromEntries(PRODUCTS.map(({ chapter, about }) => [chapter, about])),
  ...others,
};

/** The OpenAPI 3.1 document of a table of routes. */
export function openApiDocument(routes: readonly NamedRoute[]): ReturnType<typeof createDocument> {
  const paths: ZodOpenApiPathsObject = {};
  for (const route of routes)
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: operationOf(route) };
  const document = createDocument(
    {
      openapi: '3.1.0',
      info: {
        title: 'Partner Reseller API',
        version: '1.0.0',
        description: INTRODUCTION,
        license: { name: 'For partners under contract', identifier: 'LicenseRef-Partner-Contract' },
      },
      servers: [{ url: '/', description: 'This gateway' }],
      tags: Object.entries(chapters).map(([name, description]) => ({ name, description })),
      paths,
      webhooks,
      components: {
        securitySchemes: {
          bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: 'The accessToken.' },
        },
      },
    },
    { override: say },
  );
  const { paths: described, webhooks: sent, components: named, ...about } = forGenerators(document);
  const { schemas, ...components } = named ?? {};
  return {
    ...about,
    paths: referToEnums(described),
    webhooks: referToEnums(sent),
    components: { ...referToEnums(components), schemas: { ...referToEnums(schemas), ...enumSchemas() } },
  };
}
