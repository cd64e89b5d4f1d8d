import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Stranger } from './stranger-list';

/** As much of the document as clients are compared with. */
export interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly operationId: string }>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, { readonly oneOf?: unknown }>> };
}

/** Every language has its own way to write createToken: create_token, CreateToken. */
const plain = (text: string): string => text.replaceAll('_', '').toLowerCase();

/** The operationIds of a document. */
export const operationsOf = ({ paths }: Document): string[] =>
  Object.values(paths).flatMap((item) => Object.values(item).map(({ operationId }) => operationId));

/** What the document has and the client in a folder has not: calls by their operationId, and schemas by their name. */
export function missingFrom(client: string, document: Document, { calls }: Stranger): string[] {
  const files = readdirSync(client, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(client, path.join(entry.parentPath, entry.name)));
  const nameOf = (file: string): string => path.basename(file, path.extname(file));
  const names = new Set(files.map((file) => plain(nameOf(file).replace(/^model_/, ''))));
  // openapi-python-client has a file for each call, of its name.
  const code = files
    .filter((file) => calls.test(file))
    .map((file) => plain(`${nameOf(file)}(\n${readFileSync(path.join(client, file), 'utf8')}`))
    .join('\n');
  return [
    ...operationsOf(document)
      .filter((id) => !new RegExp(`\\b${plain(id)}(async)?\\(`).test(code))
      .map((id) => `the call ${id} is missing`),
    ...Object.entries(document.components.schemas)
      // A choice of schemas is a class of its own in some languages only.
      .filter(([name, { oneOf }]) => !oneOf && !names.has(plain(name)))
      .map(([name]) => `the schema ${name} is missing`),
  ];
}
