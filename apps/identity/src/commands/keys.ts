import { createPool, createPrismaAdapter, databaseAddress } from '@reseller/database';
import {
  commandOperatorOption,
  databaseConfig,
  loadConfig,
  reporting,
  runCommand,
  SecretSeal,
  silentLog,
  type CommandCall,
} from '@reseller/service-kit';
import { randomUUID } from 'node:crypto';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { AuditRepository } from '../audit/audit.repository';
import { systemClock } from '../clock';
import { config } from '../config';
import { PrismaClient } from '../generated/prisma/client';
import { countHashKeyUse } from '../secret/hash-key-use';
import { resealSigningKeys } from '../signing-key/reseal-signing-keys';
import { revokeSigningKeys } from '../signing-key/revoke-signing-keys';
import { SigningKeyRepository } from '../signing-key/signing-key.repository';
import { createTransact } from '../transaction';

const USAGE = `Looks after the keys (DATABASE_URL, KEY_ENCRYPTION_KEY); each prints JSON.

  keys.js status               what needs which key of CREDENTIAL_HASH_KEY and KEY_ENCRYPTION_KEY
  keys.js reseal               seals every signing key under the first key of KEY_ENCRYPTION_KEY; a start of identity does it too
  keys.js revoke-signing-keys  signing keys leaked: tokens by them are refused within seconds, a new key signs at once

  --as <name>  who does it, for the audit; "keys command" where nobody is named`;

const { KEY_ENCRYPTION_KEY } = config.shape;
const settings = z.object({ ...databaseConfig, KEY_ENCRYPTION_KEY });

async function run({ args, env }: CommandCall): Promise<unknown> {
  const { values, positionals } = parseArgs({ args, options: commandOperatorOption, allowPositionals: true });
  const [command] = positionals;
  if (!command || !['status', 'reseal', 'revoke-signing-keys'].includes(command)) throw new Error(USAGE);
  const loaded = loadConfig(settings, env);
  const pool = createPool({ ...databaseAddress(loaded), max: 1, name: 'keys', log: silentLog });
  const prisma = new PrismaClient({ adapter: createPrismaAdapter(pool) });
  const signingKeys = new SigningKeyRepository(prisma);
  const seal = new SecretSeal('KEY_ENCRYPTION_KEY', loaded.KEY_ENCRYPTION_KEY);
  try {
    if (command === 'reseal') return { resealed: await resealSigningKeys(signingKeys, seal) };
    if (command === 'status') {
      const keys = (await signingKeys.list()).map(({ keyId, generation, signFrom, revokedAt, sealed }) => ({
        ...{ keyId, generation, signFrom, revokedAt, sealedBy: sealed.keyId },
      }));
      return { signingKeys: keys, hashKeys: await countHashKeyUse(prisma, systemClock.now()) };
    }
    return await revokeSigningKeys(
      {
        transact: createTransact(prisma),
        signingKeys,
        seal,
        audit: new AuditRepository(prisma, pool),
        clock: systemClock,
      },
      { actorType: 'operator', operator: values.as ?? 'keys command', requestId: randomUUID() },
    );
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
