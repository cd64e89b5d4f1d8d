import { createPrismaAdapter } from '@reseller/database';
import type { EventHandler } from '@reseller/messaging';
import type { Pool } from 'pg';
import { PrismaClient } from './generated/prisma/client';
import { PartnerProfileRepository } from './partner/partner-profile.repository';
import { createPartnerConsumer } from './partner/partner.consumer';

/** The service's consumers on a database, without the service: for the command that redrives their dead letters. */
export function createConsumers(pool: Pool): EventHandler[] {
  const prisma = new PrismaClient({ adapter: createPrismaAdapter(pool) });
  return [createPartnerConsumer(pool, new PartnerProfileRepository(prisma))];
}
