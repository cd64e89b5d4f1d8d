import { status, type sendUnaryData, type Server } from '@grpc/grpc-js';
import type { RpcMethod } from '../definition';
import { ERROR_TRAILER, RETRY_PUSHBACK } from '../error-trailer';
import { QUEUED_TRAILER } from '../load/queued-trailer';
import type { ServeCall } from '../served-call';
import { decodeFrame, encodeFrame, GATHERED_PATH, type CallFrame, type FramedResult } from './frame';
import { GatheredCall, type GatheringStream } from './gathered-call';

/** A method as it is served, by its path. */
type ServedMethods = ReadonlyMap<string, { readonly method: RpcMethod; readonly serve: ServeCall }>;

/** Results larger than this are not kept for others to travel with. */
const LARGEST_FRAME = 256 * 1024;

const asItIs = (bytes: Buffer): Buffer => bytes;

const DEFINITION = {
  send: {
    path: GATHERED_PATH,
    requestStream: true,
    responseStream: true,
    requestSerialize: asItIs,
    requestDeserialize: asItIs,
    responseSerialize: asItIs,
    responseDeserialize: asItIs,
  },
} as const;

/** Lets a server's methods be called several at once (docs/adr/0012); each is let in and served as if it came alone. */
export function serveGathered(server: Server, methods: ServedMethods): void {
  server.addService(DEFINITION, {
    send: (stream: GatheringStream) => {
      new GatheredCalls(stream, methods).serve();
    },
  });
}

type ErrorReply = Parameters<sendUnaryData<unknown>>[0];

/** The calls of one stream; it ends when the last of them has its result. */
class GatheredCalls {
  private readonly open = new Map<number, GatheredCall>();
  private results: FramedResult[] = [];
  private parts: Uint8Array[] = [];
  private size = 0;
  private isFlushing = false;

  constructor(
    private readonly stream: GatheringStream,
    private readonly methods: ServedMethods,
  ) {}

  serve(): void {
    this.stream.on('data', (frame: Buffer) => this.receive(frame));
    // Its deadline has passed, or the connection or its caller is gone.
    this.stream.on('cancelled', () => this.cancelAll());
  }

  private receive(bytes: Buffer): void {
    try {
      const { head, take } = decodeFrame<CallFrame>(bytes);
      for (const id of head.cancelled ?? []) this.open.get(id)?.cancel();
      for (const [id, path, timeoutMs, length, headers] of head.calls ?? [])
        this.take(id, path, new GatheredCall(this.stream, take(length), headers, timeoutMs));
    } catch {
      // Not of this library; nothing of it was begun twice, and what was begun ends by itself.
      this.stream.emit('error', { code: status.INVALID_ARGUMENT, details: 'not a frame of calls' });
    }
  }

  private take(id: number, path: string, call: GatheredCall): void {
    if (this.open.has(id)) throw new Error(`call ${id} came twice`);
    this.open.set(id, call);
    const served = this.methods.get(path);
    if (!served) {
      this.fail(id, { code: status.UNIMPLEMENTED, details: `The server does not implement ${path}` });
      return;
    }
    const { method, serve } = served;
    try {
      call.request = method.requestDeserialize(call.request as Buffer);
    } catch {
      this.fail(id, { code: status.INTERNAL, details: 'Error deserializing request' });
      return;
    }
    serve(call, (error, response, trailer) => {
      if (error) this.fail(id, error);
      else this.succeed(id, method.responseSerialize(response as never), trailer?.get(QUEUED_TRAILER)[0]);
    });
  }

  private succeed(id: number, bytes: Buffer, queued: unknown): void {
    this.add([id, status.OK, bytes.length, numberOf(queued), null, null], bytes);
  }

  private fail(id: number, error: NonNullable<ErrorReply>): void {
    const { code = status.UNKNOWN, details = '', metadata } = error;
    const [trailer, pushback, queued] = [ERROR_TRAILER, RETRY_PUSHBACK, QUEUED_TRAILER].map(
      (key) => metadata?.get(key)[0],
    );
    const bytes = Buffer.isBuffer(trailer) ? trailer : Buffer.alloc(0);
    const again = typeof pushback === 'string' ? pushback : null;
    this.add([id, code, bytes.length, numberOf(queued), details, again], bytes);
  }

  private add(result: FramedResult, bytes: Uint8Array): void {
    if (!this.open.delete(result[0])) return;
    this.results.push(result);
    this.parts.push(bytes);
    this.size += bytes.length;
    if (this.size > LARGEST_FRAME) this.flush();
    else if (!this.isFlushing) {
      this.isFlushing = true;
      // What else ends in this turn of the event loop goes along.
      setImmediate(() => this.flush());
    }
  }

  private flush(): void {
    this.isFlushing = false;
    if (this.stream.cancelled || this.stream.destroyed) return;
    if (this.results.length > 0) this.stream.write(encodeFrame({ results: this.results }, this.parts));
    this.results = [];
    this.parts = [];
    this.size = 0;
    if (this.open.size === 0) this.stream.end();
  }

  private cancelAll(): void {
    for (const call of this.open.values()) call.cancel();
    this.open.clear();
  }
}

const numberOf = (value: unknown): number | null => (typeof value === 'string' ? Number(value) : null);
