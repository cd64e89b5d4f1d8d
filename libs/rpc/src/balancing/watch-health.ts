import {
  Client,
  credentials,
  status,
  type Channel,
  type experimental,
  type StatusObject,
} from '@grpc/grpc-js';
import { healthDefinition, type HealthResponse } from '../health-definition';

const AGAIN_MS = 1_000;

/**
 * Asks the instance behind a connection, by the health protocol, whether it serves, and goes on listening; returns a function that
 * stops it. An instance that does not speak the protocol serves; one that breaks off is called again.
 */
export function watchHealth(
  connection: experimental.SubchannelInterface,
  heard: (isServing: boolean) => void,
): () => void {
  const client = healthClient(connection);
  const { path, requestSerialize, responseDeserialize } = healthDefinition.watch;
  let isStopped = false;
  let cancel: () => void = () => undefined;
  const watch = (): void => {
    const responses = client.makeServerStreamRequest(path, requestSerialize, responseDeserialize, {
      service: '',
    });
    cancel = () => responses.cancel();
    responses.on('data', ({ status: said }: HealthResponse) => {
      if (!isStopped) heard(said !== 'NOT_SERVING');
    });
    // Said beside it by the status, which comes also where the instance ends its responses without one.
    responses.on('error', () => undefined);
    responses.on('status', ({ code }: StatusObject) => {
      if (isStopped) return;
      if (code === status.UNIMPLEMENTED) heard(true);
      else again();
    });
  };
  const again = (): void => {
    const timer = setTimeout(watch, AGAIN_MS).unref();
    cancel = () => clearTimeout(timer);
  };
  watch();
  return () => {
    isStopped = true;
    cancel();
  };
}

/**
 * Asks the instance behind a connection whether it serves, for the sake of the bytes that come back: also one that does not speak
 * the protocol responds. Returns what gives it up.
 */
export function askForLife(connection: experimental.SubchannelInterface, onResponse: () => void): () => void {
  const { path, requestSerialize, responseDeserialize } = healthDefinition.check;
  const request = { service: '' };
  let isGivenUp = false;
  const response = healthClient(connection).makeUnaryRequest(
    path,
    requestSerialize,
    responseDeserialize,
    request,
    () => {
      if (!isGivenUp) onResponse();
    },
  );
  return () => {
    isGivenUp = true;
    response.cancel();
  };
}

function healthClient(connection: experimental.SubchannelInterface): Client {
  // Typed as grpc-js's class of channels, of which a client uses no more than the interface.
  const channel = connection.getChannel() as Channel;
  return new Client('health', credentials.createInsecure(), { channelOverride: channel });
}
