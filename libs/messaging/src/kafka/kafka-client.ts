import net from 'node:net';
import tls from 'node:tls';
import { Kafka, logLevel, type ISocketFactory } from 'kafkajs';
import type { Logger } from 'pino';
import { kafkaLog } from './kafka-log';
import type { KafkaSettings } from './kafka-settings';
import { mendKafkajs } from './kafkajs-fixes';

mendKafkajs();

/** Which cluster, and as whom. */
export interface KafkaClientOptions extends Pick<KafkaSettings, 'tls' | 'sasl'> {
  url: string;
  clientId: string;
  log: Pick<Logger, 'warn' | 'error'>;
  /** Opens the connections; for tests that cut them. */
  socketFactory?: ISocketFactory;
}

/** A failure is told after some two seconds: whoever uses the client tries again, and says so. */
export const clientRetry = { retries: 4, initialRetryTime: 100, maxRetryTime: 1_000, multiplier: 2 };

/** A new client; consumers do not share one, since kafkajs keeps a group's offsets with the client. */
export function createKafkaClient(options: KafkaClientOptions): Kafka {
  const [, scheme, brokers] = /^(kafka(?:\+ssl)?):\/\/(.+)$/.exec(options.url) ?? [];
  if (!brokers) throw new Error('the event bus URL must be kafka://host:port[,host:port]');
  return new Kafka({
    clientId: options.clientId,
    brokers: brokers.split(','),
    ssl: scheme === 'kafka+ssl' ? (options.tls ?? true) : false,
    ...(options.sasl && { sasl: options.sasl }),
    connectionTimeout: 3_000,
    authenticationTimeout: 5_000,
    requestTimeout: 10_000,
    retry: clientRetry,
    logLevel: logLevel.WARN,
    logCreator: kafkaLog(options.log),
    socketFactory: options.socketFactory ?? openSocket,
  });
}

/** Without Nagle's delay: a commit must not wait until the answer to a request before it is acknowledged. */
export const openSocket: ISocketFactory = ({ host, port, ssl, onConnect }) => {
  const name = net.isIP(host) === 0 ? { servername: host } : {};
  const socket = ssl
    ? tls.connect({ host, port, ...name, ...ssl }, onConnect)
    : net.connect({ host, port }, onConnect);
  socket.setKeepAlive(true, 60_000);
  socket.setNoDelay(true);
  return socket;
};
