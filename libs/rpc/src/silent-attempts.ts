import type { ChannelCredentials } from '@grpc/grpc-js';
import { InstanceSocket } from './balancing/instance-socket';

/** What a channel's credentials make connections secure by. */
type CreateConnector = ChannelCredentials['_createSecureConnector'];
type Socket = Parameters<ReturnType<CreateConnector>['connect']>[0];

/** From when the other side has accepted until its first byte. */
const LIMIT_MS = 5_000;

/**
 * The same credentials, whose attempts to connect end when the other side accepts and then is silent. grpc-js would wait for
 * such a one for ever: keepalive watches over connections only once they are made. The socket of each is given to who watches over
 * it from then on.
 */
export function endSilentAttempts<C extends ChannelCredentials>(credentials: C): C {
  const create: CreateConnector = credentials._createSecureConnector.bind(credentials);
  credentials._createSecureConnector = (...args: Parameters<CreateConnector>) => {
    const connector = create(...args);
    const instance = InstanceSocket.of(args[1]);
    return {
      connect(socket) {
        endWhenSilent(socket);
        instance?.opened(socket, connector);
        return connector.connect(socket);
      },
      waitForReady: () => connector.waitForReady(),
      getCallCredentials: () => connector.getCallCredentials(),
      destroy: () => connector.destroy(),
    };
  };
  return credentials;
}

function endWhenSilent(socket: Socket): void {
  const timer = setTimeout(() => {
    if (socket.bytesRead === 0) socket.destroy();
  }, LIMIT_MS).unref();
  socket.once('close', () => clearTimeout(timer));
}
