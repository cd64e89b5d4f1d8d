/** A text as scents.search_text holds it: full case folding of Unicode, whatever the database's locale. */
export const folded = (expression: string): string =>
  `casefold(${expression}::text COLLATE pg_unicode_fast) COLLATE "C"`;
