// Writes the types of the operators' API for apps/console, out of backoffice's own OpenAPI document as its sources make it.
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import openapiTS, { astToString } from 'openapi-typescript';
import { openApiDocumentOf } from './openapi-document.mjs';

const target = 'apps/console/src/generated/operators-api.ts';
const document = await openApiDocumentOf('backoffice', './openapi');
const types = await openapiTS(document, { alphabetize: true, defaultNonNullable: false });
mkdirSync(path.dirname(target), { recursive: true });
writeFileSync(target, astToString(types));
