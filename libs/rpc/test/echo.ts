import { Client, Metadata, type ChannelCredentials, type ClientOptions } from '@grpc/grpc-js';
import { EchoServiceService, type SayResponse } from './echo-definition';
import type { RpcPolicy } from '@reseller/contracts';
import { Wire } from '@reseller/testing';
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

/** The same service, as a contract that says how often its call may be sent. */
export function echoThatIs(idempotency: RpcPolicy['idempotency']): typeof EchoServiceService {
  const say = { ...EchoServiceService.say, policy: { ...EchoServiceService.say.policy, idempotency } };
  return { say } as typeof EchoServiceService;
}

export type EchoHandlers = RpcHandlers<typeof EchoServiceService>;
export type EchoClient = RpcClient<typeof EchoServiceService>;

/** Keeps what a server logs. */
export class MemoryLog implements RpcLog {
  readonly entries: { level: string; fields: Record<string, unknown>; message: string }[] = [];
  readonly debug = (fields: object, message: string): void => this.add('debug', fields, message);
  readonly warn = (fields: object, message: string): void => this.add('warn', fields, message);
  readonly error = (fields: object, message: string): void => this.add('error', fields, message);

  /** What is returned where not everything is wanted. */
  above(level: 'debug'): MemoryLog['entries'] {
    return this.entries.filter((entry) => entry.level !== level);
  }

  private add(level: string, fields: object, message: string): void {
    this.entries.push({ level, fields: fields as Record<string, unknown>, message });
  }
}

const open: { servers: RpcServer[]; clients: EchoClient[]; wires: Wire[] } = {
  servers: [],
  clients: [],
  wires: [],
};

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

export function connectEcho(
  at: number | string,
  { definition = EchoServiceService, ...options }: EchoOptions = {},
): EchoClient {
  const client = createRpcClient(definition, typeof at === 'number' ? `127.0.0.1:${at}` : at, {
    name: 'echo',
    defaultDeadlineMs: 60_000,
    ...options,
  });
  open.clients.push(client);
  return client;
}

interface EchoOptions extends Partial<RpcClientOptions> {
  definition?: typeof EchoServiceService;
}

/** Lays a wire to a port, which goes with the echoes. */
export async function layWire(port: number): Promise<Wire> {
  const wire = await Wire.to(port);
  open.wires.push(wire);
  return wire;
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
  for (const wire of open.wires.splice(0)) wire.close();
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
