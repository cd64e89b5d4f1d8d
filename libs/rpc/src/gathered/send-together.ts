import { Metadata, status, type ChannelInterface, type StatusObject } from '@grpc/grpc-js';
import { ERROR_TRAILER, RETRY_PUSHBACK } from '../error-trailer';
import { decodeFrame, encodeFrame, GATHERED_PATH, type FramedResult, type ResultFrame } from './frame';
import { GIVEN_UP, type OutgoingCall } from './outgoing-call';

type Wire = ReturnType<ChannelInterface['createCall']>;

/** Sends calls in one stream; each ends when its own result is there. `refused` gets those of a server that knows no such stream. */
export function sendTogether(
  channel: ChannelInterface,
  calls: readonly OutgoingCall[],
  refused: (calls: OutgoingCall[]) => void,
): void {
  new GatheredStream(channel, calls, refused).start();
}

class GatheredStream {
  private readonly open: Map<number, OutgoingCall>;
  private readonly wire: Wire;
  private readonly givenUp: number[] = [];
  private isWriting = true;

  constructor(
    channel: ChannelInterface,
    private readonly calls: readonly OutgoingCall[],
    private readonly refused: (calls: OutgoingCall[]) => void,
  ) {
    this.open = new Map(calls.entries());
    const deadline = Math.max(...calls.map((call) => call.deadline));
    this.wire = channel.createCall(GATHERED_PATH, deadline, null, null, null);
  }

  start(): void {
    this.wire.start(new Metadata({ waitForReady: true }), {
      onReceiveMetadata: () => undefined,
      onReceiveMessage: (frame: Buffer) => this.receive(frame),
      onReceiveStatus: (ended) => this.end(ended),
    });
    this.wire.startRead();
    this.write(this.firstFrame());
    for (const [id, call] of this.open) call.whenGivenUp(() => this.giveUp(id, call));
  }

  private firstFrame(): Buffer {
    const now = Date.now();
    const calls = this.calls.map(
      ({ path, deadline, bytes, headers }, id) => [id, path, deadline - now, bytes.length, headers] as const,
    );
    return encodeFrame(
      { calls },
      this.calls.map(({ bytes }) => bytes),
    );
  }

  /** grpc-js takes a message at a time. */
  private write(frame: Buffer): void {
    this.isWriting = true;
    this.wire.sendMessageWithContext({ callback: () => this.writeOn() }, frame);
  }

  private writeOn(): void {
    this.isWriting = false;
    if (this.givenUp.length > 0 && this.open.size > 0)
      this.write(encodeFrame({ cancelled: this.givenUp.splice(0) }, []));
  }

  private giveUp(id: number, call: OutgoingCall): void {
    this.open.delete(id);
    call.fail(GIVEN_UP);
    this.givenUp.push(id);
    if (this.open.size === 0) this.wire.cancelWithStatus(GIVEN_UP.code, GIVEN_UP.details);
    else if (!this.isWriting) this.writeOn();
  }

  private receive(bytes: Buffer): void {
    try {
      const { head, take } = decodeFrame<ResultFrame>(bytes);
      for (const result of head.results) this.endOne(result, take(result[2]));
    } catch {
      this.wire.cancelWithStatus(status.INTERNAL, 'unreadable results');
    }
    this.wire.startRead();
  }

  private endOne([id, code, , queuedMs, details, pushback]: FramedResult, bytes: Buffer): void {
    const call = this.open.get(id);
    this.open.delete(id);
    if (code === status.OK) call?.succeed(bytes, queuedMs ?? undefined);
    else
      call?.fail(
        { code, details: details ?? '', metadata: trailerOf(bytes, pushback) },
        queuedMs ?? undefined,
      );
  }

  private end(ended: StatusObject): void {
    const rest = [...this.open.values()];
    this.open.clear();
    const isUnknown = ended.code === status.UNIMPLEMENTED && rest.length === this.calls.length;
    if (isUnknown) this.refused(rest);
    else if (ended.code === status.OK)
      for (const call of rest) call.fail({ code: status.INTERNAL, details: 'No result received' });
    else for (const call of rest) call.fail(ended);
  }
}

function trailerOf(error: Buffer, pushback: string | null): Metadata {
  const metadata = new Metadata();
  if (error.length > 0) metadata.set(ERROR_TRAILER, error);
  if (pushback !== null) metadata.set(RETRY_PUSHBACK, pushback);
  return metadata;
}
