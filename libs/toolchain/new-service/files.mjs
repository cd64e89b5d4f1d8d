// The files of a new service, by path: the common form of docs/architecture.md with one feature to begin from.

const json = (value) => `${JSON.stringify(value, null, 2)}\n`;

const project = ({ name }) => ({
  name,
  $schema: '../../node_modules/nx/schemas/project-schema.json',
  projectType: 'application',
  sourceRoot: `apps/${name}/src`,
  tags: ['type:service'],
  targets: {
    generate: {
      command: `node libs/toolchain/prisma-generate.mjs ${name}`,
      inputs: ['{projectRoot}/prisma/schema.prisma', '{workspaceRoot}/package-lock.json'],
      outputs: ['{projectRoot}/src/generated'],
    },
    build: { command: `node libs/toolchain/bundle.mjs ${name}` },
    lint: { command: `eslint --max-warnings 0 apps/${name}` },
    typecheck: { command: `tsc -p apps/${name}/tsconfig.json` },
    test: { command: `node libs/toolchain/jest-project.mjs apps/${name}` },
  },
});

const proto = ({ name, snake, Pascal }) => `syntax = "proto3";

package reseller.${snake}.v1;

import "google/protobuf/timestamp.proto";

// The ${name} records of the partner and environment of the call's metadata.
service ${Pascal}Service {
  // Creates a record. Not idempotent: each call creates one.
  // Errors: VALIDATION_FAILED.
  rpc Create${Pascal}(Create${Pascal}Request) returns (Create${Pascal}Response);
  // One of the caller's; not set when there is none.
  // Errors: VALIDATION_FAILED (an id that is no UUID).
  rpc Find${Pascal}(Find${Pascal}Request) returns (Find${Pascal}Response) {
    option idempotency_level = NO_SIDE_EFFECTS;
  }
}

// A record of one partner.
message ${Pascal} {
  // UUID of the record.
  string id = 1;
  // 1 to 200 characters.
  string name = 2;
  // When it was created; always set.
  google.protobuf.Timestamp created_at = 3;
}

// What is created.
message Create${Pascal}Request {
  // 1 to 200 characters.
  string name = 1;
}

// The record that was created.
message Create${Pascal}Response {
  // Always set.
  ${Pascal} ${snake} = 1;
}

// Which record.
message Find${Pascal}Request {
  // UUID of the record.
  string id = 1;
}

// The requested record.
message Find${Pascal}Response {
  // Not set when the caller has no such record.
  ${Pascal} ${snake} = 1;
}
`;

const schema = ({ name, snake, Pascal }) => `// ${name}'s tables; functions and triggers stand in routines.

generator client {
  provider     = "prisma-client"
  output       = "../src/generated/prisma"
  runtime      = "nodejs"
  moduleFormat = "cjs"
}

datasource db {
  provider = "postgresql"
}

/// A record of one partner.
model ${Pascal} {
  id          String   @id @db.Uuid
  partnerId   String   @map("partner_id") @db.Uuid
  environment String
  name        String
  createdAt   DateTime @default(dbgenerated("clock_timestamp()")) @map("created_at") @db.Timestamptz(6)

  @@map("${snake}s")
}
`;

const migration = ({ snake }) => `CREATE TABLE ${snake}s (
  id uuid NOT NULL,
  partner_id uuid NOT NULL,
  environment text NOT NULL,
  name text NOT NULL,
  created_at timestamptz(6) NOT NULL DEFAULT clock_timestamp(),
  CONSTRAINT ${snake}s_pkey PRIMARY KEY (id),
  CONSTRAINT ${snake}s_environment CHECK (environment IN ('sandbox', 'live'))
);
`;

const main = `import { startService } from '@reseller/service-kit';
import path from 'node:path';
import { describeService } from './service';

void startService(describeService(path.join(__dirname, 'migrations')));
`;

const service = ({ name }) => `import { serviceMigrations } from '@reseller/database';
import type { ServiceOptions } from '@reseller/service-kit';
import { config } from './config';
import { createContainer } from './container';

/** The service with its migrations in the given directory, ready to be started. */
export function describeService(migrations: string): ServiceOptions<typeof config> {
  return { name: '${name}', config, ...serviceMigrations(migrations), start: createContainer };
}
`;

const config = ({ name }) => `import { baseConfig, envDatabaseUrl, envInteger } from '@reseller/service-kit';
import { z } from 'zod';

/** What ${name} reads from its environment; the README lists defaults and units. Secrets have no defaults. */
export const config = z.object({
  ...baseConfig,
  DATABASE_URL: envDatabaseUrl(),
  DATABASE_POOL_SIZE: envInteger({ min: 2, max: 200 }).default(10),
});

/** The validated settings. */
export type Config = z.infer<typeof config>;
`;

const container = ({ name, camel, Pascal }) => `import { ${Pascal}ServiceService } from '@reseller/contracts';
import { mapDatabaseOutage, createPool, createPrismaAdapter, databaseReady } from '@reseller/database';
import { defineRpc } from '@reseller/rpc';
import type { ServiceParts, StartInput } from '@reseller/service-kit';
import type { Config } from './config';
import { PrismaClient } from './generated/prisma/client';
import { create${Pascal}Handlers } from './${name}/${name}.handler';
import { ${Pascal}Repository } from './${name}/${name}.repository';

/** Everything the running service consists of. */
export function createContainer({ config, log, metrics }: StartInput<Config>): Promise<ServiceParts> {
  const { DATABASE_URL: connectionString, DATABASE_POOL_SIZE: max } = config;
  const pool = createPool({ connectionString, max, name: '${name}', log, metrics });
  const prisma = new PrismaClient({ adapter: createPrismaAdapter(pool) });
  const ${camel}s = new ${Pascal}Repository(prisma);
  return Promise.resolve({
    rpc: [defineRpc(${Pascal}ServiceService, create${Pascal}Handlers({ ${camel}s }))].map(mapDatabaseOutage),
    ready: { database: databaseReady(pool) },
    close: async () => {
      await prisma.$disconnect();
      await pool.end();
    },
  });
}
`;

const handler = ({
  name,
  camel,
  Pascal,
}) => `import type { ${Pascal}ServiceService } from '@reseller/contracts';
import { partnerScopeOf, type RpcHandlers } from '@reseller/rpc';
import { create${Pascal}, type ${Pascal}Deps } from './create-${name}';
import { find${Pascal} } from './find-${name}';
import { to${Pascal}Message } from './${name}.mapper';

/** The methods of the service. */
export function create${Pascal}Handlers(deps: ${Pascal}Deps): RpcHandlers<typeof ${Pascal}ServiceService> {
  return {
    async create${Pascal}(request, call) {
      return { ${camel}: to${Pascal}Message(await create${Pascal}(deps, partnerScopeOf(call), request)) };
    },
    async find${Pascal}(request, call) {
      const found = await find${Pascal}(deps, partnerScopeOf(call), request);
      return { ${camel}: found && to${Pascal}Message(found) };
    },
  };
}
`;

const create = ({
  name,
  camel,
  Pascal,
}) => `import type { Create${Pascal}Request } from '@reseller/contracts';
import { RequestCheck, type PartnerScope } from '@reseller/rpc';
import { v7 as newId } from 'uuid';
import type { ${Pascal}Record } from './domain/${name}';
import type { ${Pascal}Repository } from './${name}.repository';

/** What the use cases need. */
export interface ${Pascal}Deps {
  ${camel}s: ${Pascal}Repository;
}

/** Creates a record of the partner; throws VALIDATION_FAILED. */
export function create${Pascal}(
  { ${camel}s }: ${Pascal}Deps,
  scope: PartnerScope,
  request: Create${Pascal}Request,
): Promise<${Pascal}Record> {
  const check = new RequestCheck();
  const name = check.text('name', request.name, 200);
  check.end();
  return ${camel}s.create(scope, { id: newId(), name });
}
`;

const find = ({ name, camel, Pascal }) => `import type { Find${Pascal}Request } from '@reseller/contracts';
import { RequestCheck, type PartnerScope } from '@reseller/rpc';
import type { ${Pascal}Deps } from './create-${name}';
import type { ${Pascal}Record } from './domain/${name}';

/** The partner's record of this id; undefined when there is none. Throws VALIDATION_FAILED for an id that is no UUID. */
export function find${Pascal}(
  { ${camel}s }: ${Pascal}Deps,
  scope: PartnerScope,
  request: Find${Pascal}Request,
): Promise<${Pascal}Record | undefined> {
  const check = new RequestCheck();
  const id = check.uuid('id', request.id);
  check.end();
  return ${camel}s.find(scope, id);
}
`;

const domain = ({ Pascal }) => `/** A record as the service knows it. */
export interface ${Pascal}Record {
  readonly id: string;
  readonly name: string;
  readonly createdAt: Date;
}
`;

const repository = ({ name, camel, Pascal }) => `import type { PartnerScope } from '@reseller/rpc';
import type { PrismaClient } from '../generated/prisma/client';
import type { ${Pascal}Record } from './domain/${name}';

/** Keeps the records, each under the partner and environment that own it. */
export class ${Pascal}Repository {
  constructor(private readonly prisma: PrismaClient) {}

  /** Stores a new record. */
  create({ partnerId, environment }: PartnerScope, record: Omit<${Pascal}Record, 'createdAt'>): Promise<${Pascal}Record> {
    return this.prisma.${camel}.create({ data: { ...record, partnerId, environment } });
  }

  /** The partner's record of this id. */
  async find({ partnerId, environment }: PartnerScope, id: string): Promise<${Pascal}Record | undefined> {
    const row = await this.prisma.${camel}.findFirst({ where: { id, partnerId, environment } });
    return row ?? undefined;
  }
}
`;

const mapper = ({ name, Pascal }) => `import type { ${Pascal} } from '@reseller/contracts';
import type { ${Pascal}Record } from './domain/${name}';

/** The record as the contract has it. */
export function to${Pascal}Message({ id, name, createdAt }: ${Pascal}Record): ${Pascal} {
  return { id, name, createdAt };
}
`;

const mapperSpec = ({ name, Pascal }) => `import { describe, expect, it } from '@jest/globals';
import { to${Pascal}Message } from './${name}.mapper';

describe('the message of a record', () => {
  it('when a record is sent, then the message has nothing else of its row', () => {
    const record = { id: 'i', name: 'n', createdAt: new Date(0), partnerId: 'p' };
    expect(to${Pascal}Message(record)).toEqual({ id: 'i', name: 'n', createdAt: new Date(0) });
  });
});
`;

const spec = ({
  name,
  camel,
  Pascal,
}) => `import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Environment, ${Pascal}ServiceService } from '@reseller/contracts';
import { createRpcClient, type CallContext, type RpcClient } from '@reseller/rpc';
import { runService, type RunningService } from '@reseller/service-kit';
import { createTestDatabase, type TestDatabase } from '@reseller/testing';
import path from 'node:path';
import { v7 as newId } from 'uuid';
import { describeService } from '../src/service';

const migrations = path.join(__dirname, '../prisma/migrations');

/** A call of a partner. */
function callOf(partnerId: string): CallContext {
  const actor = { actingPartnerId: undefined, actingClientId: undefined, clientId: 'client' };
  const partner = { ...actor, partnerId, partnerGlobalId: 'PRT-1', path: [partnerId], environment: Environment.LIVE };
  return { requestId: 'request', partner };
}

describe('${name}', () => {
  let database: TestDatabase;
  let running: RunningService;
  let client: RpcClient<typeof ${Pascal}ServiceService>;

  beforeAll(async () => {
    database = await createTestDatabase({ migrations });
    const env = { DATABASE_URL: database.url, LOG_LEVEL: 'silent', NODE_ENV: 'test' };
    running = await runService(describeService(migrations), env);
    const options = { name: '${name}', defaultDeadlineMs: 10_000 };
    client = createRpcClient(${Pascal}ServiceService, \`127.0.0.1:\${running.grpcPort}\`, options);
  });
  afterAll(async () => {
    client.close();
    await running.stop();
    await database.drop();
  });

  it('when a record is created, then its partner finds it, and no other', async () => {
    const [owner, other] = [callOf(newId()), callOf(newId())];
    const { ${camel}: created } = await client.create${Pascal}({ name: 'first' }, owner);
    const request = { id: created?.id ?? '' };
    expect(await client.find${Pascal}(request, owner)).toEqual({ ${camel}: created });
    expect(await client.find${Pascal}(request, other)).toEqual({ ${camel}: undefined });
  });

  it('when a request is not valid, then each field at fault is named', async () => {
    await expect(client.create${Pascal}({ name: '' }, callOf(newId()))).rejects.toMatchObject({
      code: 'VALIDATION_FAILED',
      details: { errors: [expect.objectContaining({ path: 'name' })] },
    });
  });

  it('when it runs, then it is ready and measured', async () => {
    const read = async (page: string): Promise<string> =>
      (await fetch(\`http://127.0.0.1:\${running.httpPort}\${page}\`)).text();
    expect(JSON.parse(await read('/readyz'))).toMatchObject({ ready: true });
    expect(await read('/metrics')).toContain('service="${name}"');
  });
});
`;

const readme = ({ name, snake, Pascal }) => `# ${name}

Keeps records of partners; replace them with what the service is for.

## RPCs

The comments in \`proto/reseller/${snake}/v1\` are the reference. \`${Pascal}Service\`: Create${Pascal}, Find${Pascal}. Name its
callers in the contract (\`reseller.common.v1.callers\`) when an app makes a client of it.

## Events

None.

## Tables

| Table | Holds |
|---|---|
| ${snake}s | one row a record, of one partner and environment |

## Settings

| Setting | Default | |
|---|---|---|
| DATABASE_URL | none | the service's own database |
| DATABASE_POOL_SIZE | 10 | the most connections |

Beside these the ones of every service (libs/service-kit).
`;

const migrate = ({ name }) => `import { migrateCommand } from '@reseller/database';
import path from 'node:path';

migrateCommand({ name: '${name}', directory: path.join(__dirname, 'migrations') });
`;

/** The path and text of each file; `names` has the service's name as `name`, `snake`, `camel` and `Pascal`. */
export function filesOf(names) {
  const { name, snake } = names;
  const app = `apps/${name}`;
  const feature = `${app}/src/${name}`;
  return {
    [`${app}/README.md`]: readme(names),
    [`${app}/project.json`]: json(project(names)),
    [`${app}/tsconfig.json`]: json({
      extends: '../../tsconfig.base.json',
      include: ['src/**/*.ts', 'test/**/*.ts'],
    }),
    [`${app}/jest.config.cjs`]:
      "const { projectConfig } = require('../../libs/toolchain/jest.preset.cjs');\n\nmodule.exports = projectConfig(__dirname);\n",
    [`${app}/prisma/schema.prisma`]: schema(names),
    [`${app}/prisma/migrations/migration_lock.toml`]: 'provider = "postgresql"\n',
    [`${app}/prisma/migrations/20260101000000_baseline/migration.sql`]: migration(names),
    [`${app}/prisma/routines/.gitkeep`]: '',
    [`${app}/src/main.ts`]: main,
    [`${app}/src/service.ts`]: service(names),
    [`${app}/src/config.ts`]: config(names),
    [`${app}/src/container.ts`]: container(names),
    [`${app}/src/commands/migrate.ts`]: migrate(names),
    [`${feature}/${name}.handler.ts`]: handler(names),
    [`${feature}/create-${name}.ts`]: create(names),
    [`${feature}/find-${name}.ts`]: find(names),
    [`${feature}/domain/${name}.ts`]: domain(names),
    [`${feature}/${name}.repository.ts`]: repository(names),
    [`${feature}/${name}.mapper.ts`]: mapper(names),
    [`${feature}/${name}.mapper.spec.ts`]: mapperSpec(names),
    [`${app}/test/service.spec.ts`]: spec(names),
    [`proto/reseller/${snake}/v1/${snake}_service.proto`]: proto(names),
  };
}
