import { createPrismaAdapter } from '@reseller/database';
import type { EventHandler } from '@reseller/messaging';
import type { Pool } from 'pg';
import { PrismaClient } from './generated/prisma/client';
import { endFormerAncestorsLimits } from './limit/end-former-ancestors-limits';
import { LimitRepository } from './limit/limit.repository';
import { PartnerProfileRepository } from './partner/partner-profile.repository';
import { createPartnerConsumer } from './partner/partner.consumer';

/** The service's consumers on a database, without the service: for the command that redrives their dead letters. */
export function createConsumers(pool: Pool): EventHandler[] {
  const profiles = new PartnerProfileRepository(new PrismaClient({ adapter: createPrismaAdapter(pool) }));
  const limits = new LimitRepository(pool);
  return [createPartnerConsumer(pool, profiles, (...moved) => endFormerAncestorsLimits(limits, ...moved))];
}
