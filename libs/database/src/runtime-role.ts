/** The two roles of a service's database, as its settings name them. */
interface DatabaseRoles {
  DATABASE_URL?: string | undefined;
  /** Of the role that owns the schema; without it the service owns what it works with. */
  DATABASE_MIGRATION_URL?: string | undefined;
}

/** As whom the service runs, where another role migrates; undefined where one role does both. */
export function runtimeRoleOf({ DATABASE_URL, DATABASE_MIGRATION_URL }: DatabaseRoles): string | undefined {
  if (!DATABASE_URL || !DATABASE_MIGRATION_URL) return undefined;
  const role = userOf(DATABASE_URL);
  return role === userOf(DATABASE_MIGRATION_URL) ? undefined : role;
}

function userOf(connectionString: string): string {
  return decodeURIComponent(new URL(connectionString).username);
}
