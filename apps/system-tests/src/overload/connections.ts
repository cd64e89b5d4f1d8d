import { connect, type Socket } from 'node:net';
import { addressOf, type Address } from '../abuse/wire';

/** Called once with all of a response, head and body, or with why there is none. */
type OnResponse = (response: string | Error) => void;

/** A request to be sent, whole. */
interface Due {
  readonly bytes: string;
  readonly done: OnResponse;
}

/** Past every deadline of spec §1.10. */
const RESPONSE_LIMIT_MS = 60_000;
/** Less than the gateway keeps an idle connection: none may be closed just when it is used again. */
const REUSE_WITHIN_MS = 30_000;
/** Fewer than the gateway takes (MAX_CONNECTIONS): what is due while all are in use waits here, and its time counts. */
const MOST_CONNECTIONS = 4_096;
const HEAD_END = '\r\n\r\n';
const LENGTH = /\r\nContent-Length: (\d+)/;

/** What is read off any of the connections, before it is text; the parser keeps nothing of it. */
const arrived = Buffer.allocUnsafeSlow(64 * 1024);

/** A connection that carries one request at a time. */
class Connection {
  private readonly socket: Socket;
  private text = '';
  private done: OnResponse | undefined;
  isOpen = true;
  usedAt = 0;

  constructor(
    to: Address,
    private readonly on: Record<'free' | 'gone', (connection: Connection) => void>,
  ) {
    this.socket = connect({
      ...to,
      noDelay: true,
      onread: { buffer: arrived, callback: (length) => this.take(length) },
    });
    this.socket.setTimeout(RESPONSE_LIMIT_MS, () => this.end('no response in time'));
    this.socket.on('error', (error) => this.end(error.message));
    this.socket.on('close', () => this.end('the connection was closed'));
  }

  send({ bytes, done }: Due): void {
    this.done = done;
    this.socket.write(bytes, 'latin1');
  }

  end(why: string): void {
    if (!this.isOpen) return;
    this.isOpen = false;
    this.socket.destroy();
    const { done } = this;
    this.done = undefined;
    this.on.gone(this);
    done?.(new Error(why));
  }

  private take(length: number): boolean {
    this.text += arrived.toString('latin1', 0, length);
    const head = this.text.indexOf(HEAD_END);
    if (head === -1) return true;
    const body = LENGTH.exec(this.text)?.[1];
    if (body === undefined) this.end(`a response without a length: ${this.text.slice(0, 80)}`);
    else if (this.text.length >= head + HEAD_END.length + Number(body)) this.respond();
    return true;
  }

  private respond(): void {
    const { done, text } = this;
    this.text = '';
    this.done = undefined;
    this.usedAt = performance.now();
    this.on.free(this);
    done?.(text);
  }
}

/**
 * As many connections as requests are under way at once, each used again when its response is there. It does nothing but
 * this, for it shares its machine with what it measures: a client that does more takes from the platform what it then misses.
 */
export class Connections {
  private readonly all = new Set<Connection>();
  private readonly free: Connection[] = [];
  private readonly due: Due[] = [];
  private readonly to: Address;

  constructor(url: string) {
    this.to = addressOf(url);
  }

  /** Sends one request, whole; never calls `done` before it returns. */
  send(bytes: string, done: OnResponse): void {
    const connection = this.take();
    if (connection) connection.send({ bytes, done });
    else this.due.push({ bytes, done });
  }

  close(): void {
    for (const connection of this.all) connection.end('closed');
  }

  private take(): Connection | undefined {
    // The one that was used last, so that the others come to rest.
    for (let connection = this.free.pop(); connection; connection = this.free.pop()) {
      if (connection.isOpen && performance.now() - connection.usedAt < REUSE_WITHIN_MS) return connection;
      connection.end('idle');
    }
    return this.all.size < MOST_CONNECTIONS ? this.open() : undefined;
  }

  private open(): Connection {
    const opened = new Connection(this.to, {
      free: (connection) => this.give(connection),
      gone: (connection) => {
        this.all.delete(connection);
        const next = this.due.shift();
        if (next) this.open().send(next);
      },
    });
    this.all.add(opened);
    return opened;
  }

  private give(connection: Connection): void {
    const next = this.due.shift();
    if (next) connection.send(next);
    else this.free.push(connection);
  }
}
