import { tidySchema } from '@reseller/http-edge';
import { createDocument, type CreateDocumentOptions, type ZodOpenApiPathsObject } from 'zod-openapi';
import { PRODUCTS } from '../products';
import type { NamedRoute } from '../routes/route';
import { CHAPTERS } from './chapters';
import { enumSchemas, referToEnums } from './enums';
import { forGenerators } from './generator-forms';
import { INTRODUCTION } from './introduction';
import { operationOf } from './operation';
import { webhooks } from './webhooks';

const say: CreateDocumentOptions['override'] = (said) => {
  tidySchema(said);
  // Amounts have at most 15 digits, which a double holds exactly; without a format clients in Go take a float of 32 bits.
  if (said.jsonSchema.type === 'number') said.jsonSchema.format ??= 'double';
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
