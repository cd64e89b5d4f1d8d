import { createServer } from 'node:http';
import type { BaseConfig } from './config';
import { NotReadyError, type Health } from './health';
import { HttpDrain } from './http-drain';
import { listenHttp } from './http-part';
import type { Logger } from './logger';

const LOOK_EVERY_MS = 1_000;

/**
 * Resolves once nothing is pending. Until then the process is alive and not ready: /readyz names the pending migration,
 * and no statement meets a schema older than the one it was written for.
 */
export async function awaitSchema(
  findPending: () => Promise<string[]>,
  base: Pick<BaseConfig, 'HTTP_HOST' | 'HTTP_PORT'>,
  log: Logger,
  health: Health,
): Promise<void> {
  let reason = await whyNot(findPending, log);
  if (reason === undefined) return;
  health.setChecks({
    schema: () => Promise.reject(new NotReadyError(reason ?? 'the schema was just completed')),
  });
  const server = createServer((request, response) => {
    if (!health.handle(request, response)) response.writeHead(404).end();
  });
  const drain = new HttpDrain(server);
  const { HTTP_HOST: host, HTTP_PORT: port } = base;
  await listenHttp({ server, host, port, portVariable: 'HTTP_PORT' });
  try {
    for (; reason !== undefined; reason = await whyNot(findPending, log, reason)) {
      await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
    }
  } finally {
    health.setChecks({});
    await drain.close(0);
  }
  log.info('the database has every migration that this version needs');
}

/** Says each reason once in the log. */
async function whyNot(
  findPending: () => Promise<string[]>,
  log: Logger,
  said?: string,
): Promise<string | undefined> {
  try {
    const [first, ...more] = await findPending();
    if (first === undefined) return undefined;
    const others = more.length > 0 ? ` and ${more.length} more` : '';
    const reason = `the database lacks migration ${first}${others}; run this version's migrate.js`;
    if (reason !== said) log.warn({ event: 'schema-pending' }, `not ready: ${reason}`);
    return reason;
  } catch (err) {
    const reason = "the database's migrations could not be read; the log says why";
    if (reason !== said) log.warn({ event: 'schema-pending', err }, `not ready: ${reason}`);
    return reason;
  }
}
