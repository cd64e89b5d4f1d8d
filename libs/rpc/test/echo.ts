import { Client, Metadata, type ChannelCredentials, type ClientOptions } from '@grpc/grpc-js';
import { EchoServiceService, type SayResponse } from './echo-definition';
import type { RpcPolicy } from '@reseller/contracts';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
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

/** A stretch of network before a server that can be cut: connections break, new ones are let through. */
export class Wire {
  /** How many connections were begun over it. */
  connections = 0;
  /** The sockets, each with the one that it goes on by. */
  private readonly sockets = new Map<Socket, Socket>();
  private isHeld = false;
  private readonly server: Server;

  private constructor(target: number) {
    this.server = createServer((near) => {
      this.connections += 1;
      const far = connect(target, '127.0.0.1');
      for (const [socket, other] of [
        [near, far],
        [far, near],
      ] as const) {
        socket.on('error', () => undefined).on('close', () => (this.sockets.delete(socket), other.destroy()));
        this.sockets.set(socket, other);
        if (!this.isHeld) socket.pipe(other);
      }
    });
  }

  /** Lays one to a port of this machine; returns it with the port to go to instead. */
  static async to(target: number): Promise<{ wire: Wire; port: number }> {
    const wire = new Wire(target);
    open.wires.push(wire);
    await once(wire.server.listen(0, '127.0.0.1'), 'listening');
    return { wire, port: (wire.server.address() as AddressInfo).port };
  }

  /** What is connected is forgotten, as by a firewall: nothing of it arrives any more, and neither side is notified. */
  forget(): void {
    for (const socket of this.sockets.keys()) socket.unpipe().resume();
  }

  /** Nothing arrives, on connections old and new, until it is released; then all of it does. */
  hold(): void {
    this.isHeld = true;
    for (const socket of this.sockets.keys()) socket.unpipe().pause();
  }

  release(): void {
    this.isHeld = false;
    for (const [socket, other] of this.sockets) socket.pipe(other);
  }

  cut(): void {
    for (const socket of this.sockets.keys()) socket.destroy();
  }

  close(): void {
    this.cut();
    this.server.close();
  }
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
