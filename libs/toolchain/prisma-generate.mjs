// Generates one service's Prisma client into apps/<app>/src/generated/prisma.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

const app = process.argv[2];
const schema = `apps/${app}/prisma/schema.prisma`;
if (!existsSync(schema)) {
  console.error(`prisma-generate: ${schema} does not exist`);
  process.exit(1);
}
const result = spawnSync('prisma', ['generate', '--schema', schema], {
  stdio: ['ignore', 'pipe', 'pipe'],
  encoding: 'utf8',
  // The client needs no schema engine, but the command looks for one and would download it; any
  // executable that exists satisfies the look.
  env: {
    ...process.env,
    PRISMA_SCHEMA_ENGINE_BINARY: process.execPath,
    PRISMA_HIDE_UPDATE_MESSAGE: '1',
    CHECKPOINT_DISABLE: '1',
  },
});
if (result.status !== 0) {
  process.stderr.write(`${result.stdout ?? ''}${result.stderr ?? ''}${result.error?.message ?? ''}\n`);
  process.exit(1);
}
