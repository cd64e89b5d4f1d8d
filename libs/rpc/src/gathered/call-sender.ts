import type { ChannelInterface } from '@grpc/grpc-js';
import { OutgoingCall, type CallToSend } from './outgoing-call';
import { sendAlone } from './send-alone';
import { sendTogether } from './send-together';

/** About so many calls, and bytes of requests, go into one stream. */
const MOST_CALLS = 64;
const MOST_BYTES = 256 * 1024;
/**
 * Calls whose deadlines are so close share one: each waits so much longer at most. A share of the time left, for on a busy machine
 * the calls of one turn begin further apart, and there streams of their own would make it busier.
 */
const SAME_DEADLINE_SHARE = 0.01;
const SAME_DEADLINE_MS = 20;
/** How long a dependency gets single calls after a server of it knew no such stream, as that of another team may (docs/platform/replace-a-service.md). */
const SINGLE_MS = 60_000;

/**
 * Sends the calls to one dependency. Those that begin in one turn of the event loop travel in one gRPC stream, for a stream
 * costs ten times what a call in it does (docs/adr/0012); one by itself is the unary call of its contract.
 */
export class CallSender {
  private waiting: OutgoingCall[] = [];
  private singleUntil = 0;

  /** `instances` says how many are connected: calls are dealt out to as many streams, which the channel's balancer shares out. */
  constructor(
    private readonly channel: ChannelInterface,
    private readonly instances: () => number,
  ) {}

  /** Resolves with the response; rejects with a ServiceError. */
  send(toSend: CallToSend): Promise<unknown> {
    const call = new OutgoingCall(toSend);
    if (this.waiting.push(call) === 1) setImmediate(() => this.flush());
    return call.response;
  }

  private flush(): void {
    const calls = this.waiting.filter((call) => !call.isOver());
    this.waiting = [];
    if (calls.length <= 1 || performance.now() < this.singleUntil) this.sendEach(calls);
    else for (const group of groupsOf(calls)) for (const stream of this.deal(group)) this.sendStream(stream);
  }

  private deal({ calls, bytes }: Group): OutgoingCall[][] {
    const instances = Math.max(1, this.instances());
    const rounds = Math.ceil(Math.max(calls.length / MOST_CALLS, bytes / MOST_BYTES) / instances);
    const streams = Array.from(
      { length: Math.min(calls.length, instances * rounds) },
      (): OutgoingCall[] => [],
    );
    calls.forEach((call, index) => streams[index % streams.length]?.push(call));
    return streams;
  }

  private sendStream(calls: OutgoingCall[]): void {
    if (calls.length === 1) this.sendEach(calls);
    else
      failing(calls, () =>
        sendTogether(this.channel, calls, (refused) => {
          this.singleUntil = performance.now() + SINGLE_MS;
          this.sendEach(refused);
        }),
      );
  }

  private sendEach(calls: readonly OutgoingCall[]): void {
    for (const call of calls) failing([call], () => sendAlone(this.channel, call));
  }
}

/** A channel that was closed throws. */
function failing(calls: readonly OutgoingCall[], send: () => void): void {
  try {
    send();
  } catch (error) {
    for (const call of calls) call.crash(error);
  }
}

interface Group {
  readonly deadline: number;
  readonly calls: OutgoingCall[];
  bytes: number;
}

/** Calls by about the same deadline. */
function groupsOf(calls: readonly OutgoingCall[]): Group[] {
  const groups: Group[] = [];
  const now = Date.now();
  for (const call of calls) {
    const close = Math.max(SAME_DEADLINE_MS, (call.deadline - now) * SAME_DEADLINE_SHARE);
    const group = groups.find(({ deadline }) => Math.abs(deadline - call.deadline) <= close);
    if (!group) groups.push({ deadline: call.deadline, calls: [call], bytes: call.bytes.length });
    else {
      group.calls.push(call);
      group.bytes += call.bytes.length;
    }
  }
  return groups;
}
