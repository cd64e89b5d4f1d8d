import { Metadata, Server, ServerCredentials, status, type ServiceDefinition } from '@grpc/grpc-js';
import { ERROR_CATALOGUE, type ErrorCode } from '@reseller/errors';
import type { Message } from './contract';
import type { Caller } from './world';
import { coderOf, methodOf } from './reader';
import { RPCS } from './schema/promised-errors';

/** What a fake answers; throw `refuse(code)` for an error. */
export type FakeReplies = Record<string, (request: Message, caller: Caller) => Message | Promise<Message>>;

class FakeError extends Error {
  constructor(readonly code: ErrorCode) {
    super(code);
  }
}

/** An error of the catalogue, to be thrown by an answer. */
export function refuse(code: ErrorCode): never {
  throw new FakeError(code);
}

/** A dependency of the service under test, served from the .proto files; what has no answer is SERVICE_UNAVAILABLE. */
export class Fake {
  /** How often each RPC was called. */
  readonly calls: Record<string, number> = {};
  /**
   * Requests that hold one of these texts in a field are refused with the code, for example those of one partner; with the
   * RPC before it and a space between, only those of that RPC.
   */
  readonly faults = new Map<string, ErrorCode>();
  address = '';
  private readonly server = new Server();

  constructor(readonly answers: FakeReplies) {
    const services = new Map([...RPCS.values()].map(({ parent }) => [parent.typeName, parent]));
    for (const service of services.values()) {
      if (Object.keys(answers).some((rpc) => rpc.startsWith(`${service.name}.`))) this.serve(service.name);
    }
  }

  /** Listens; on a free port unless told. */
  async start(address = '127.0.0.1:0'): Promise<this> {
    const port = await new Promise<number>((resolve, reject) =>
      this.server.bindAsync(address, ServerCredentials.createInsecure(), (error, bound) =>
        error ? reject(error) : resolve(bound),
      ),
    );
    this.address = `${address.slice(0, address.lastIndexOf(':'))}:${port}`;
    return this;
  }

  stop(): void {
    this.server.forceShutdown();
  }

  private serve(service: string): void {
    const rpcs = [...RPCS.keys()].filter((rpc) => rpc.startsWith(`${service}.`));
    const definition: ServiceDefinition = Object.fromEntries(
      rpcs.map((rpc) => {
        const { path, request, response } = methodOf(rpc);
        return [
          rpc,
          {
            path,
            requestStream: false,
            responseStream: false,
            requestSerialize: (message: Message) => request.encode(message),
            requestDeserialize: (bytes: Buffer) => request.decode(bytes),
            responseSerialize: (message: Message) => response.encode(message),
            responseDeserialize: (bytes: Buffer) => response.decode(bytes),
          },
        ];
      }),
    );
    this.server.addService(
      definition,
      Object.fromEntries(
        rpcs.map((rpc) => [
          rpc,
          (
            call: { request: Message; metadata: Metadata },
            done: (error: object | null, answer?: Message) => void,
          ) => {
            this.answer(rpc, call.request, call.metadata.getMap() as Caller).then(
              (answer) => done(null, answer),
              (error: unknown) => done(errorOf(error)),
            );
          },
        ]),
      ),
    );
  }

  private async answer(rpc: string, request: Message, caller: Caller): Promise<Message> {
    this.calls[rpc] = (this.calls[rpc] ?? 0) + 1;
    for (const value of Object.values(request)) {
      if (typeof value !== 'string') continue;
      const fault = this.faults.get(value) ?? this.faults.get(`${rpc} ${value}`);
      if (fault) refuse(fault);
    }
    const answer = this.answers[rpc];
    return answer ? answer(request, caller) : refuse('SERVICE_UNAVAILABLE');
  }
}

function errorOf(error: unknown): object {
  const code = error instanceof FakeError ? error.code : 'INTERNAL_ERROR';
  const metadata = new Metadata();
  metadata.set(
    'reseller-error-bin',
    coderOf('reseller.common.v1.ErrorDetail').encode({ code, details_json: '' }),
  );
  return { code: status[ERROR_CATALOGUE[code].grpc], details: String(error), metadata };
}
