import {
  logVerbosity,
  Server,
  setLogVerbosity,
  type handleUnaryCall,
  type ServerOptions,
  type ServiceDefinition,
  type UntypedServiceImplementation,
} from '@grpc/grpc-js';
import type { Registry } from 'prom-client';
import type { RpcMethod, RpcService } from './definition';
import { serveGathered } from './gathered/serve-gathered';
import { HealthService } from './health-service';
import type { RpcLog } from './rpc-log';
import { rpcHistogram } from './rpc-metrics';
import { plainText, type RpcSecurity } from './security/rpc-security';
import type { ServeCall } from './served-call';
import { streamHandler } from './served-stream';
import { unaryHandler, type ServerScope } from './unary-handler';

// grpc-js prints to the console what it also hands to its caller; every error here is thrown or logged once already.
if (!process.env['GRPC_VERBOSITY']) setLogVerbosity(logVerbosity.NONE);

const UNSTATED_DEADLINE_MS = 15_000;
/** Far above what a vendor that responds after ten seconds makes of a few hundred orders a second. */
const MOST_UNDER_WAY = 4_096;
/**
 * A client that vanished, as with its machine's power, closes nothing: its connections and watches of health would be kept for ever.
 * One that only stands still loses nothing either, for it has twice as long as the longest deadline of any call of ours.
 */
const KEEPALIVE: ServerOptions = { 'grpc.keepalive_time_ms': 60_000, 'grpc.keepalive_timeout_ms': 120_000 };

/** What a server serves; given a Registry it records a histogram of its calls there. */
export interface RpcServerOptions {
  services: RpcService[];
  log: RpcLog;
  metrics?: Registry | undefined;
  /** Plain text when left out. */
  security?: RpcSecurity | undefined;
  /** How long a call may take that comes without a deadline; by default, as long as the longest of our own. */
  unstatedDeadlineMs?: number | undefined;
  /** The most calls under way at once; those beyond are refused with SERVICE_UNAVAILABLE. 4,096 when left out. */
  maxUnderWay?: number | undefined;
}

/** Serves RPC services and the gRPC health protocol; NOT_SERVING until setServing(true). */
export class RpcServer {
  private readonly server: Server;
  private readonly health: HealthService;
  private readonly underWay = new Set<() => void>();
  private readonly security: RpcSecurity;

  constructor({
    services,
    log,
    metrics,
    security = plainText,
    unstatedDeadlineMs = UNSTATED_DEADLINE_MS,
    maxUnderWay = MOST_UNDER_WAY,
  }: RpcServerOptions) {
    this.security = security;
    this.server = new Server({ 'grpc.enable_channelz': 0, ...KEEPALIVE, ...security.serverOptions });
    const scope: ServerScope = {
      log,
      histogram: metrics && rpcHistogram(metrics),
      underWay: this.underWay,
      maxUnderWay,
      guard: security.guard,
      unstatedDeadlineMs,
    };
    const methods = new Map<string, { method: RpcMethod; serve: ServeCall }>();
    for (const service of services) {
      const implementation: UntypedServiceImplementation = {};
      for (const [name, method] of Object.entries(service.definition)) {
        const handler = service.handlers[name];
        if (!handler) continue;
        const serve = unaryHandler(method, handler, scope);
        if (method.requestStream) implementation[name] = streamHandler(serve);
        else {
          implementation[name] = serve as handleUnaryCall<unknown, unknown>;
          methods.set(method.path, { method, serve });
        }
      }
      this.server.addService(service.definition as ServiceDefinition, implementation);
    }
    serveGathered(this.server, methods);
    this.health = new HealthService(new Set(['', ...services.map(({ name }) => name)]));
    this.health.addTo(this.server);
  }

  /** Listens and returns the port, the one chosen when 0 was given; rejects when the port is taken. */
  listen(host: string, port: number): Promise<number> {
    return new Promise((resolve, reject) => {
      this.server.bindAsync(`${host}:${port}`, this.security.serverCredentials, (error, bound) => {
        if (error) reject(error);
        else resolve(bound);
      });
    });
  }

  /** What the health protocol returns from now on; clients of ours send nothing new to an instance that does not serve. */
  setServing(serving: boolean): void {
    this.health.set(serving);
  }

  /** Takes no more calls and resolves once those under way have ended; after the grace period they are cut off. */
  drain(graceMs: number): Promise<void> {
    this.setServing(false);
    return new Promise((resolve) => {
      let forced: NodeJS.Timeout | undefined;
      const grace = setTimeout(() => {
        for (const cutOff of [...this.underWay]) cutOff();
        forced = setTimeout(() => {
          this.server.forceShutdown();
          resolve();
        }, FLUSH_MS);
      }, graceMs);
      this.health.endWatches();
      this.server.tryShutdown(() => {
        clearTimeout(grace);
        clearTimeout(forced);
        resolve();
      });
    });
  }
}

// A call is cut off by a response: a connection closed by force while it shuts down says nothing to the caller, who
// would wait for its whole deadline. This is the time for those responses to leave.
const FLUSH_MS = 250;
