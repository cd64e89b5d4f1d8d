import type { ConnectionBeside, InstanceSocket } from './instance-socket';

const LOOK_MS = 500;
/** In looks, since something was sent and nothing has come back. */
const ASK_AFTER = 3;
const SILENT_AFTER = 4;
/** In looks: whoever says nothing for so long on a new connection does not speak there either. */
const MOST_BESIDE = 4;

/** What a watch over a connection relies on. */
export interface SilenceWatchDeps {
  readonly socket: InstanceSocket;
  /** Sends something on the connection that the instance responds to whatever it is busy with; returns what gives it up. */
  readonly ask: (onResponse: () => void) => () => void;
  /** Called when nothing came back, and when something did again. */
  readonly onSilence: (isSilent: boolean) => void;
  /** Called when it was ended for dead. */
  readonly onDead: () => void;
}

/**
 * Ends a connection that is dead, as when a firewall has forgotten it, within some 3 s of the first thing that is sent and comes to
 * nothing; returns what stops the watch. Silence alone proves nothing, for an instance may be slow or stand still: it is dead when
 * the instance does not respond on it and does, later, on a connection beside it. So one that only is slow keeps its
 * connections and its calls, and gets one more connection to accept from each of its callers, however long it takes. Nothing is
 * sent while responses come, and none of it is a ping, for which servers of other stacks end a connection.
 */
export function watchSilence(deps: SilenceWatchDeps): () => void {
  const watch = new SilenceWatch(deps);
  const timer = setInterval(() => watch.look(), LOOK_MS).unref();
  return () => {
    clearInterval(timer);
    watch.stop();
  };
}

class SilenceWatch {
  private received: number;
  /** Of what has been sent, how much is done with: nothing of what may have been sent before the watch. */
  private settled = 0;
  private sent = 0;
  /** How much had been sent when the response to the question came: all of it had arrived, or does. */
  private sentAtResponse: number | undefined;
  private looks = 0;
  private giveUp: (() => void) | undefined;
  private beside: ConnectionBeside | undefined;
  private besideSince = 0;

  constructor(private readonly deps: SilenceWatchDeps) {
    this.received = deps.socket.received;
  }

  look(): void {
    const { socket } = this.deps;
    if (!socket.isOpen) return;
    const sentBefore = this.sent;
    this.sent = socket.sent;
    // What was sent since the look before may be later than what has come.
    if (this.hasHeard()) return this.settle(this.sentAtResponse ?? sentBefore);
    if (this.sent === this.settled) return;
    this.looks += 1;
    if (this.looks === ASK_AFTER)
      this.giveUp = this.deps.ask(() => (this.sentAtResponse = this.deps.socket.sent));
    if (this.looks === SILENT_AFTER) this.deps.onSilence(true);
    if (this.looks >= SILENT_AFTER) this.compare();
  }

  stop(): void {
    this.giveUp?.();
    this.beside?.end();
    this.giveUp = this.beside = undefined;
  }

  /** Whether the instance speaks on a connection beside this one; this one has a look's time more than it. */
  private compare(): void {
    if (this.beside?.isHeard) {
      // A process that stood still runs its timers before it reads what has come meanwhile.
      setImmediate(() => this.end());
    } else if (!this.beside || this.looks - this.besideSince >= MOST_BESIDE) {
      this.beside?.end();
      this.beside = this.deps.socket.connectBeside();
      this.besideSince = this.looks;
    }
  }

  private end(): void {
    if (!this.beside || this.hasHeard()) return;
    this.stop();
    this.deps.onDead();
    this.deps.socket.end();
  }

  private hasHeard(): boolean {
    return this.deps.socket.received !== this.received;
  }

  private settle(sent: number): void {
    const { socket, onSilence } = this.deps;
    this.received = socket.received;
    this.settled = sent;
    const wasSilent = this.looks >= SILENT_AFTER;
    this.looks = 0;
    this.stop();
    this.sentAtResponse = undefined;
    if (wasSilent) onSilence(false);
  }
}
