/** A warning of a generator, and why it is no fault of the document where it is none. */
interface Warning {
  readonly text: string;
  readonly times: number;
  readonly excuse: string | undefined;
}

/** What openapi-generator says of any such document. */
const EXCUSED: readonly (readonly [RegExp, string])[] = [
  [/OpenAPI 3\.1 support is still in beta/, 'said of every 3.1 document'],
  [/Failed to get the schema name: null/, 'said of `additionalProperties: false`, and without effect'],
  [/Ignoring complex example on request body/, 'said of every example of a body'],
];

/** The warnings and errors in what a generator printed, each once. */
export function warningsOf(output: string): Warning[] {
  const times = new Map<string, number>();
  for (const text of [...ofJar(output), ...ofAttrs(output)]) times.set(text, (times.get(text) ?? 0) + 1);
  return [...times].map(([text, count]) => ({
    text,
    times: count,
    excuse: EXCUSED.find(([pattern]) => pattern.test(text))?.[1],
  }));
}

/** "[main] WARN  o.o.codegen.DefaultCodegen - …" */
const ofJar = (output: string): string[] =>
  [...output.matchAll(/^\[[^\]]+\] (?:WARN|ERROR)\s+\S+ - (.*)$/gm)].map(([, text = '']) => text);

/** "WARNING parsing GET /… within …", and in the paragraph under it why; "Skipping Integration". */
const ofAttrs = (output: string): string[] =>
  [...output.matchAll(/^((?:WARNING|ERROR|Skipping|Unable)[^\n]*)(?:\n\n([^\n]+))?/gm)].map(([, what, why]) =>
    [what, why].filter(Boolean).join(' '),
  );
