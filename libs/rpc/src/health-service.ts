import {
  Metadata,
  status,
  type Server,
  type sendUnaryData,
  type ServerUnaryCall,
  type ServerWritableStream,
} from '@grpc/grpc-js';
import {
  healthDefinition,
  type HealthListResponse,
  type HealthRequest,
  type HealthResponse,
} from './health-definition';

type Watch = ServerWritableStream<HealthRequest, HealthResponse>;

/**
 * The gRPC health protocol for a server that serves all of its services or none. Unlike that of grpc-health-check it ends its
 * watches when told, for an open one would hold the server's connections, and so its drain, until the grace period ends.
 */
export class HealthService {
  private isServing = false;
  private readonly watches = new Set<Watch>();

  /** `names` are the services, and `''` for the server itself. */
  constructor(private readonly names: ReadonlySet<string>) {}

  addTo(server: Server): void {
    server.addService(healthDefinition, {
      check: (
        { request }: ServerUnaryCall<HealthRequest, HealthResponse>,
        callback: sendUnaryData<HealthResponse>,
      ) => {
        if (this.names.has(request.service)) callback(null, this.responseFor(request.service));
        else callback({ code: status.NOT_FOUND, details: `no service ${request.service} here` });
      },
      watch: (call: Watch) => {
        this.watches.add(call);
        call.on('cancelled', () => this.watches.delete(call));
        call.write(this.responseFor(call.request.service));
      },
      list: (_call: ServerUnaryCall<object, object>, callback: sendUnaryData<HealthListResponse>) => {
        const statuses = Object.fromEntries([...this.names].map((name) => [name, this.responseFor(name)]));
        callback(null, { statuses });
      },
    });
  }

  set(isServing: boolean): void {
    if (isServing === this.isServing) return;
    this.isServing = isServing;
    for (const watch of this.watches) watch.write(this.responseFor(watch.request.service));
  }

  /** Ends every watch, after its last response. */
  endWatches(): void {
    for (const watch of this.watches)
      watch.emit('error', {
        code: status.UNAVAILABLE,
        details: 'the server stops',
        metadata: new Metadata(),
      });
    this.watches.clear();
  }

  private responseFor(service: string): HealthResponse {
    if (!this.names.has(service)) return { status: 'SERVICE_UNKNOWN' };
    return { status: this.isServing ? 'SERVING' : 'NOT_SERVING' };
  }
}
