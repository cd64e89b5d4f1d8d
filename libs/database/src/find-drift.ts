import { withSchemaEngine } from './schema-engine';

/**
 * Returns the SQL that Prisma would run to make the database what `schema.prisma` says, undefined when nothing is
 * missing or too much. It knows tables, columns, keys, indexes and enums; checks, triggers, functions and partial indexes
 * are beyond its language and left alone.
 */
export async function findDrift(connectionString: string, schema: string): Promise<string | undefined> {
  const files = [{ path: 'schema.prisma', content: schema }];
  const result = await withSchemaEngine({ connectionString }, [['schema.prisma', schema]], (engine) =>
    engine.diff({
      // The datasource of the files is the connection that the engine was given.
      from: { tag: 'schemaDatasource', files, configDir: '/' },
      to: { tag: 'schemaDatamodel', files },
      script: true,
      exitCode: true,
      filters: {
        externalTables: ['public._prisma_migrations', 'public._routines', 'public._grants'],
        externalEnums: [],
      },
    }),
  );
  return result.exitCode === 0
    ? undefined
    : (result.stdout ?? 'a difference that Prisma could not write down');
}
