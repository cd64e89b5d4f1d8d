import type { ChannelOptions, experimental } from '@grpc/grpc-js';
import { connect as connectSession, type ClientHttp2Session } from 'node:http2';
import { connect, type Socket } from 'node:net';

/** The channel option by which the connection to an instance finds it. */
const OPTION = 'reseller.instance_socket';

/** A connection that was made only to see whether the instance speaks. */
export interface ConnectionBeside {
  /** Whether the instance has said something: the first that HTTP/2 has it say. */
  readonly isHeard: boolean;
  end(): void;
}

/** The socket of the connection to one instance, which grpc-js keeps to itself: how much went each way, and its end. */
export class InstanceSocket {
  private open: { readonly socket: Socket; readonly connector: experimental.SecureConnector } | undefined;

  /** That of the connection that these options are of. */
  static of(options: ChannelOptions): InstanceSocket | undefined {
    return options[OPTION] as InstanceSocket | undefined;
  }

  asOption(): ChannelOptions {
    return { [OPTION]: this };
  }

  /** grpc-js prints options when it is traced, and a socket leads in circles. */
  toJSON(): object {
    return {};
  }

  /** From now on it is this one, until it closes. */
  opened(socket: Socket, connector: experimental.SecureConnector): void {
    this.open = { socket, connector };
    socket.once('close', () => {
      if (this.open?.socket === socket) this.open = undefined;
    });
  }

  get isOpen(): boolean {
    return this.open !== undefined;
  }

  get received(): number {
    return this.open?.socket.bytesRead ?? 0;
  }

  get sent(): number {
    return this.open?.socket.bytesWritten ?? 0;
  }

  /** Ends the connection; calls on it are lost, and the next one is made at once. */
  end(): void {
    this.open?.socket.destroy();
  }

  /** Connects once more to where the socket leads, in the same way. */
  connectBeside(): ConnectionBeside | undefined {
    if (!this.open) return undefined;
    const { remoteAddress: host, remotePort: port } = this.open.socket;
    return host === undefined || port === undefined ? undefined : new Beside(host, port, this.open.connector);
  }
}

class Beside implements ConnectionBeside {
  isHeard = false;
  private readonly socket: Socket;
  private session: ClientHttp2Session | undefined;

  constructor(host: string, port: number, connector: experimental.SecureConnector) {
    this.socket = connect({ host, port, noDelay: true }).unref();
    this.socket.on('error', () => undefined);
    this.socket.once('connect', () => {
      // One that fails has said nothing, which is all that is to be known.
      this.begin(connector).catch(() => undefined);
    });
  }

  end(): void {
    this.session?.destroy();
    this.socket.destroy();
  }

  private async begin(connector: experimental.SecureConnector): Promise<void> {
    const { socket } = await connector.connect(this.socket);
    if (this.socket.destroyed) return;
    this.session = connectSession('http://beside', { createConnection: () => socket });
    this.session.on('error', () => undefined);
    this.session.once('remoteSettings', () => (this.isHeard = true));
    this.session.unref();
  }
}
