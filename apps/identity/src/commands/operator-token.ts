import { createPool, createPrismaAdapter, databaseAddress } from '@reseller/database';
import { OPERATOR_ROLE_NAMES, operatorRoleOf } from '@reseller/rpc';
import {
  commandOperatorOption,
  databaseConfig,
  loadConfig,
  reporting,
  runCommand,
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
import { createOperatorToken } from '../operator/create-operator-token';
import { OperatorSecrets } from '../operator/operator-secrets';
import { OperatorRepository } from '../operator/operator.repository';
import { KeyedHashes } from '../secret/keyed-hashes';
import { createTransact } from '../transaction';

// The first token of an installation, and one for whoever is locked out: whoever may write to identity's database may act
// as an operator anyway, and this way the audit shows it.

const USAGE = `Makes an operator token (DATABASE_URL, CREDENTIAL_HASH_KEY) and prints it.

  operator-token.js --name <name> --role <role> [--role <role> …] [--minutes <until it ends>] [--as <who makes it>]

Roles: ${OPERATOR_ROLE_NAMES.join(', ')}. It ends after 60 minutes unless you say otherwise.
--as is for the audit; "operator-token command" where nobody is named.`;

const options = {
  name: { type: 'string' },
  role: { type: 'string', multiple: true },
  minutes: { type: 'string', default: '60' },
  ...commandOperatorOption,
} as const;
const given = z.object({
  name: z.string(),
  role: z.array(z.enum(OPERATOR_ROLE_NAMES)),
  minutes: z.coerce.number().positive(),
  as: z.string().optional(),
});
const { CREDENTIAL_HASH_KEY } = config.shape;
const settings = z.object({ ...databaseConfig, CREDENTIAL_HASH_KEY });

async function run({ args, env, say }: CommandCall): Promise<number> {
  const { data } = given.safeParse(parseArgs({ args, options }).values);
  if (!data) throw new Error(USAGE);
  const loaded = loadConfig(settings, env);
  const pool = createPool({
    ...databaseAddress(loaded),
    max: 1,
    name: 'operator-token',
    log: silentLog,
  });
  const prisma = new PrismaClient({ adapter: createPrismaAdapter(pool) });
  try {
    const { secret } = await createOperatorToken(
      {
        transact: createTransact(prisma),
        operators: new OperatorRepository(prisma),
        secrets: new OperatorSecrets(new KeyedHashes(loaded.CREDENTIAL_HASH_KEY)),
        audit: new AuditRepository(prisma, pool),
        clock: systemClock,
      },
      { actorType: 'operator', operator: data.as ?? 'operator-token command', requestId: randomUUID() },
      `command ${data.name}`,
      {
        name: data.name,
        roles: data.role.map(operatorRoleOf),
        expiresAt: new Date(Date.now() + data.minutes * 60_000),
      },
    );
    say(secret);
    return 0;
  } finally {
    await prisma.$disconnect();
    await pool.end();
  }
}

runCommand((call) => reporting(call, () => run(call)));
