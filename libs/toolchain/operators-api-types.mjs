// Writes the types of the operators' API for apps/console, out of backoffice's OpenAPI document.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import openapiTS, { astToString } from 'openapi-typescript';

const target = 'apps/console/src/generated/operators-api.ts';
const document = JSON.parse(readFileSync('apps/backoffice/src/generated/openapi.json', 'utf8'));
const types = await openapiTS(document, { alphabetize: true, defaultNonNullable: false });
mkdirSync(path.dirname(target), { recursive: true });
writeFileSync(target, astToString(types));
