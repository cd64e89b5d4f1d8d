// The files of a new service: the templates below files/, with the service's name in place of the placeholders.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const templates = path.join(import.meta.dirname, 'files');

/** The path and text of each file; `names` has the service's name as `name`, `snake`, `camel` and `Pascal`. */
export function filesOf(names) {
  const named = (text) => text.replaceAll(/__(name|snake|camel|Pascal)__/g, (_match, form) => names[form]);
  return readdirSync(templates, { recursive: true })
    .filter((file) => file.endsWith('.template'))
    .map((file) => [
      named(file.slice(0, -'.template'.length)),
      named(readFileSync(path.join(templates, file), 'utf8')),
    ]);
}
