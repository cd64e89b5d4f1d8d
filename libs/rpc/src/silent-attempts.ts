import type { ChannelCredentials } from '@grpc/grpc-js';

/** What a channel's credentials make connections secure by. */
type CreateConnector = ChannelCredentials['_createSecureConnector'];
type Socket = Parameters<ReturnType<CreateConnector>['connect']>[0];

/** From when the other side has accepted until its first byte. */
const LIMIT_MS = 5_000;

/**
 * The same credentials, whose attempts to connect end when the other side accepts and then is silent. grpc-js would wait for
 * such a one for ever: keepalive watches over connections only once they are made.
 */
export function endSilentAttempts<C extends ChannelCredentials>(credentials: C): C {
  const create: CreateConnector = credentials._createSecureConnector.bind(credentials);
  credentials._createSecureConnector = (...args: Parameters<CreateConnector>) => {
    const connector = create(...args);
    return {
      connect(socket) {
        endWhenSilent(socket);
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
