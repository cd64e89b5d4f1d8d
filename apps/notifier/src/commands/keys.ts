import { createPool, createPrismaAdapter, databaseAddress } from '@reseller/database';
import {
  databaseConfig,
  loadConfig,
  reporting,
  runCommand,
  SecretSeal,
  silentLog,
  type CommandCall,
} from '@reseller/service-kit';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { config } from '../config';
import { PrismaClient } from '../generated/prisma/client';
import { resealSecrets } from '../subscription/reseal-secrets';
import { countSecretKeyUse } from '../subscription/secret-key-use';
import { SubscriptionRepository } from '../subscription/subscription.repository';

const USAGE = `Looks after the keys of webhooks' secrets (DATABASE_URL, WEBHOOK_SECRET_KEYS); each prints JSON.

  keys.js status  what needs which key of WEBHOOK_SECRET_KEYS
  keys.js reseal  seals every webhook's secret under the first key; a start of notifier does it too`;

const { WEBHOOK_SECRET_KEYS } = config.shape;
const settings = z.object({ ...databaseConfig, WEBHOOK_SECRET_KEYS });

async function run({ args, env }: CommandCall): Promise<unknown> {
  const [command] = parseArgs({ args, allowPositionals: true }).positionals;
  if (command !== 'status' && command !== 'reseal') throw new Error(USAGE);
  const loaded = loadConfig(settings, env);
  const pool = createPool({ ...databaseAddress(loaded), max: 1, name: 'keys', log: silentLog });
  const prisma = new PrismaClient({ adapter: createPrismaAdapter(pool) });
  const subscriptions = new SubscriptionRepository(prisma);
  const seal = new SecretSeal('WEBHOOK_SECRET_KEYS', loaded.WEBHOOK_SECRET_KEYS);
  try {
    if (command === 'reseal') return { resealed: await resealSecrets({ subscriptions, seal }) };
    return { secretKeys: await countSecretKeyUse(prisma) };
  } finally {
    await prisma.$disconnect();
    await pool.end();
  }
}

runCommand((call) =>
  reporting(call, async () => {
    call.say(JSON.stringify(await run(call), null, 2));
    return 0;
  }),
);
