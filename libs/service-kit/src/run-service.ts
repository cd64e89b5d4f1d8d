import { plainText, RpcServer, type RpcSecurity, type RpcService } from '@reseller/rpc';
import type { Tracing } from '@reseller/telemetry';
import { createServer } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { collectDefaultMetrics, Registry } from 'prom-client';
import type { z } from 'zod';
import { awaitSchema } from './await-schema';
import { loadConfig, type BaseConfig } from './config';
import { Health, type ReadyChecks } from './health';
import { HttpDrain } from './http-drain';
import { explainListen, listenHttp, type HttpPart } from './http-part';
import type { Job } from './job';
import { createLogger, type Logger } from './logger';
import { misspeltSettings } from './misspelt-settings';
import { ReadinessWatch } from './readiness-watch';
import { rpcSecurity } from './rpc-security';
import { startTracingOf } from './tracing';

// Each sample is a timer: every 10 ms, as by default, they are a third of what an idle platform uses. What is exported is the time from one
// sample to the next, so deploy/monitoring takes these milliseconds off it.
const LOOP_SAMPLE_MS = 200;

/** Something that runs since it was made and can be stopped. */
export interface Stoppable {
  stop(): Promise<void>;
}

/** What a service's start function is given. */
export interface ContainerDeps<C> {
  config: C;
  log: Logger;
  metrics: Registry;
  /** For an HTTP server that serves /healthz, /readyz and /metrics on its own port too. */
  health: Health;
  /** For every RPC client the service makes. */
  security: RpcSecurity;
}

/** What a service consists of. */
export interface Container {
  rpc?: RpcService[];
  http?: HttpPart;
  jobs?: Job[];
  consumers?: Stoppable[];
  ready?: ReadyChecks;
  /** Is called when listeners close: what waits for nothing but time or news ends now, and no longer than a moment from now on. */
  onDrain?: () => void;
  close?: () => Promise<void>;
}

/** All of a service's main.ts. */
export interface ServiceOptions<S extends z.ZodObject> {
  name: string;
  config: S;
  migrate?: (config: z.infer<S>, log: Logger) => Promise<void>;
  /** The migrations that this version needs and its database lacks; unless it migrates itself, it waits for them. */
  pendingMigrations?: (config: z.infer<S>) => Promise<string[]>;
  start: (input: ContainerDeps<z.infer<S>>) => Promise<Container>;
  /** False for an app that neither serves nor calls RPCs, and so has no certificate. */
  speaksRpc?: boolean;
}

/** A service that is ready. */
export interface RunningService {
  grpcPort: number | undefined;
  /** Of /healthz, /readyz and /metrics. */
  httpPort: number;
  /** Of the service's own HTTP server, when it has one. */
  appPort: number | undefined;
  log: Logger;
  /** How long its drain may take. */
  graceMs: number;
  /** Drains and closes everything; calling it twice stops once. */
  stop(): Promise<void>;
}

/** Brings a service up inside this process without touching signals or exit codes; rejects when any part cannot start. */
export async function runService<S extends z.ZodObject>(
  options: ServiceOptions<S>,
  env: Record<string, string | undefined> = process.env,
): Promise<RunningService> {
  const config = loadConfig(options.config, env);
  const base = config as BaseConfig;
  const log = createLogger({ name: options.name, level: base.LOG_LEVEL });
  for (const { given, meant } of misspeltSettings(Object.keys(options.config.shape), env))
    log.warn(`${given} is not a setting: should it be ${meant}?`);
  const metrics = new Registry();
  metrics.setDefaultLabels({ service: options.name });
  collectDefaultMetrics({ register: metrics, eventLoopMonitoringPrecision: LOOP_SAMPLE_MS });
  const health = new Health(metrics, log);
  const security =
    options.speaksRpc === false ? plainText : rpcSecurity(options.name, base, { log, metrics });
  const { migrate, pendingMigrations } = options;
  if (base.MIGRATE_ON_START) await migrate?.(config, log);
  else if (pendingMigrations) await awaitSchema(() => pendingMigrations(config), base, log, health);
  // Before anything of the service runs, so that no span of it is missed.
  const tracing = await startTracingOf(options.name, base, log);
  try {
    const parts = await options.start({ config, log, metrics, health, security });
    return await serve(base, parts, log, health, security, tracing);
  } catch (error) {
    await tracing?.stop();
    throw error;
  }
}

async function serve(
  base: BaseConfig,
  parts: Container,
  log: Logger,
  health: Health,
  security: RpcSecurity,
  tracing: Tracing | undefined,
): Promise<RunningService> {
  const healthServer = createServer((request, response) => {
    if (!health.handle(request, response)) response.writeHead(404).end();
  });
  const rpc = parts.rpc && new RpcServer({ services: parts.rpc, log, metrics: health.metrics, security });
  const healthDrain = new HttpDrain(healthServer);
  const httpDrain = parts.http && new HttpDrain(parts.http.server, parts.http.cutOff);
  // What a probe of /readyz would find out, callers by RPC learn by the health protocol.
  const readiness = rpc && new ReadinessWatch(health, (isReady) => rpc.setServing(isReady));
  let isServing = false;
  const close = async (): Promise<void> => {
    health.setServing(false);
    readiness?.stop();
    rpc?.setServing(false);
    httpDrain?.sendAway();
    // Whoever sends requests here has so long to notice; what it sends meanwhile is returned as ever.
    if (isServing) await pause(base.SHUTDOWN_DELAY_MS);
    parts.onDrain?.();
    await settle(log, [
      ...(httpDrain ? [httpDrain.close(base.SHUTDOWN_GRACE_MS)] : []),
      ...(rpc ? [rpc.drain(base.SHUTDOWN_GRACE_MS)] : []),
    ]);
    await settle(
      log,
      [...(parts.jobs ?? []), ...(parts.consumers ?? [])].map((part) => part.stop()),
    );
    if (parts.close) await settle(log, [parts.close()]);
    await healthDrain.close(0);
    security.close();
    await tracing?.stop();
  };
  let stopping: Promise<void> | undefined;
  const stop = (): Promise<void> => (stopping ??= close());
  try {
    const httpPort = await listenHttp({
      server: healthServer,
      host: base.HTTP_HOST,
      port: base.HTTP_PORT,
      portVariable: 'HTTP_PORT',
    });
    health.setChecks(parts.ready ?? {});
    const grpcPort = rpc && (await listenRpc(rpc, base));
    for (const job of parts.jobs ?? []) job.start();
    const appPort = parts.http && (await listenHttp(parts.http));
    rpc?.setServing(true);
    health.setServing(true);
    readiness?.start();
    isServing = true;
    const graceMs = base.SHUTDOWN_DELAY_MS + base.SHUTDOWN_GRACE_MS;
    return { grpcPort, httpPort, appPort, log, graceMs, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function listenRpc(rpc: RpcServer, base: BaseConfig): Promise<number> {
  try {
    return await rpc.listen(base.GRPC_HOST, base.GRPC_PORT);
  } catch (error) {
    throw explainListen(error, base.GRPC_HOST, base.GRPC_PORT, 'GRPC_PORT');
  }
}

// One part that cannot stop must not keep the others from stopping.
async function settle(log: Logger, work: Promise<void>[]): Promise<void> {
  for (const result of await Promise.allSettled(work)) {
    if (result.status === 'rejected')
      log.error({ err: result.reason as unknown }, 'a part did not stop cleanly');
  }
}
