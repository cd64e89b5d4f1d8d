import { Client, Metadata, type ChannelCredentials, type ClientOptions } from '@grpc/grpc-js';
import type { RpcLog } from '../src';
import {
  createRpcClient,
  defineRpc,
  RpcServer,
  type CallContext,
  type RpcClient,
  type RpcClientOptions,
  type RpcHandlers,
} from '../src';

interface SayRequest {
  text: string;
}
interface SayResponse {
  text: string;
}

const toBytes = (value: object): Buffer => Buffer.from(JSON.stringify(value));

/** A service of one method, in the shape of generated code. */
export const EchoServiceService = {
  say: {
    path: '/reseller.test.v1.EchoService/Say' as const,
    requestStream: false as const,
    responseStream: false as const,
    requestSerialize: (value: SayRequest): Buffer => toBytes(value),
    requestDeserialize: (bytes: Buffer): SayRequest => JSON.parse(bytes.toString()) as SayRequest,
    responseSerialize: (value: SayResponse): Buffer => toBytes(value),
    responseDeserialize: (bytes: Buffer): SayResponse => JSON.parse(bytes.toString()) as SayResponse,
    policy: {
      idempotency: 'IDEMPOTENCY_UNKNOWN' as const,
      callers: ['gateway', 'backoffice', 'orders-saga'],
    },
  },
} as const;

export type EchoHandlers = RpcHandlers<typeof EchoServiceService>;
export type EchoClient = RpcClient<typeof EchoServiceService>;

/** Keeps what a server logs. */
export class MemoryLog implements RpcLog {
  readonly entries: { level: string; fields: Record<string, unknown>; message: string }[] = [];
  readonly debug = (fields: object, message: string): void => this.add('debug', fields, message);
  readonly warn = (fields: object, message: string): void => this.add('warn', fields, message);
  readonly error = (fields: object, message: string): void => this.add('error', fields, message);

  private add(level: string, fields: object, message: string): void {
    this.entries.push({ level, fields: fields as Record<string, unknown>, message });
  }
}

const open: { servers: RpcServer[]; clients: EchoClient[] } = { servers: [], clients: [] };

export async function startEcho(
  say: EchoHandlers['say'],
  {
    port = 0,
    log = new MemoryLog() as RpcLog,
    ...options
  }: Partial<ConstructorParameters<typeof RpcServer>[0] & { port: number }> = {},
): Promise<{ server: RpcServer; port: number }> {
  const server = new RpcServer({ services: [defineRpc(EchoServiceService, { say })], log, ...options });
  open.servers.push(server);
  return { server, port: await server.listen('127.0.0.1', port) };
}

export function connectEcho(at: number | string, options: Partial<RpcClientOptions> = {}): EchoClient {
  const client = createRpcClient(EchoServiceService, typeof at === 'number' ? `127.0.0.1:${at}` : at, {
    name: 'echo',
    defaultDeadlineMs: 5_000,
    ...options,
  });
  open.clients.push(client);
  return client;
}

/** Calls echo as a stranger's gRPC client would, without this library. */
export function callBare(
  port: number,
  credentials: ChannelCredentials,
  options: ClientOptions = {},
  metadata = new Metadata(),
): Promise<SayResponse> {
  const { say } = EchoServiceService;
  const client = new Client(`127.0.0.1:${port}`, credentials, options);
  return new Promise<SayResponse>((resolve, reject) => {
    client.makeUnaryRequest(
      say.path,
      say.requestSerialize,
      say.responseDeserialize,
      { text: 'bare' },
      metadata,
      (error, response) => (error ? reject(error) : resolve(response ?? { text: '' })),
    );
  }).finally(() => client.close());
}

export async function closeEchoes(): Promise<void> {
  for (const client of open.clients.splice(0)) client.close();
  await Promise.all(open.servers.splice(0).map((server) => server.drain(0)));
}

export const aCall: CallContext = { requestId: 'request-1' };

/** A promise with its resolver outside. */
export function latch<T = void>(): { promise: Promise<T>; release: (value: T) => void } {
  let release!: (value: T) => void;
  const promise = new Promise<T>((resolve) => {
    release = resolve;
  });
  return { promise, release };
}
