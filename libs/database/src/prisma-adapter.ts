import { PrismaPg } from '@prisma/adapter-pg';
import type { Pool } from 'pg';

/** Lets a PrismaClient share the pool; disconnecting the client leaves the pool open. */
export function createPrismaAdapter(pool: Pool): PrismaPg {
  return new PrismaPg(pool);
}
