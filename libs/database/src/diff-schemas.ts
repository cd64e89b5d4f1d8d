import { withSchemaEngine } from './schema-engine';

/**
 * Returns the SQL that leads from one Prisma schema to another (from nothing without `from`), undefined when there is
 * no difference. The engine wants a server to talk to, whose version it requests; it changes nothing there.
 */
export async function diffSchemas(
  connectionString: string,
  from: string | undefined,
  to: string,
): Promise<string | undefined> {
  const path = 'schema.prisma';
  const datamodel = (content: string) => ({ tag: 'schemaDatamodel' as const, files: [{ path, content }] });
  const result = await withSchemaEngine({ connectionString }, [[path, to]], (engine) =>
    engine.diff({
      from: from === undefined ? { tag: 'empty' } : datamodel(from),
      to: datamodel(to),
      script: true,
      exitCode: true,
      filters: { externalTables: [], externalEnums: [] },
    }),
  );
  return result.exitCode === 0 ? undefined : (result.stdout ?? undefined);
}
