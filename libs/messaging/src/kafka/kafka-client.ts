import net from 'node:net';
import tls from 'node:tls';
import { Kafka, logLevel, type ISocketFactory, type logCreator } from 'kafkajs';
import type { Logger } from 'pino';
import type { KafkaSettings } from './kafka-settings';
import { patchKafkajs } from './kafkajs-patches';

patchKafkajs();

/** Which cluster, and as whom. */
export interface KafkaClientOptions extends Pick<KafkaSettings, 'tls' | 'sasl'> {
  url: string;
  clientId: string;
  log: Pick<Logger, 'warn' | 'error'>;
  /** Opens the connections; for tests that cut them. */
  socketFactory?: ISocketFactory;
}

/** A failure is reported after some two seconds: whoever uses the client tries again, and says so. */
export const CLIENT_RETRY = { retries: 4, initialRetryTime: 100, maxRetryTime: 1_000, multiplier: 2 };

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
    retry: CLIENT_RETRY,
    logLevel: logLevel.WARN,
    logCreator: kafkaLog(options.log),
    socketFactory: options.socketFactory ?? openSocket,
  });
}

/** Without Nagle's delay: a commit must not wait until the response to a request before it is acknowledged. */
export const openSocket: ISocketFactory = ({ host, port, ssl, onConnect }) => {
  const name = net.isIP(host) === 0 ? { servername: host } : {};
  const socket = ssl
    ? tls.connect({ host, port, ...name, ...ssl }, onConnect)
    : net.connect({ host, port }, onConnect);
  socket.setKeepAlive(true, 60_000);
  socket.setNoDelay(true);
  return socket;
};

const SAME_AGAIN_AFTER_MS = 10_000;
/** It does, and so a producer is thrown away after a failure. */
const LIMITED_RETRIES = 'Limiting retries for the idempotent producer';

type Logged = Map<string, { at: number; since: number }>;
/** By log, since a client lives no longer than its connection. */
const loggedIn = new WeakMap<object, Logged>();

function loggedBy(log: object): Logged {
  const logged: Logged = loggedIn.get(log) ?? new Map();
  loggedIn.set(log, logged);
  return logged;
}

/**
 * kafkajs's log lines in the service's log: what it calls an error is a warning, since whoever uses it tries again and
 * says so itself. One that repeats, as in an outage, is logged every ten seconds with a count.
 */
function kafkaLog(log: Pick<Logger, 'warn' | 'error'>): logCreator {
  const logged = loggedBy(log);
  return () => (entry) => {
    if (entry.log.message.startsWith(LIMITED_RETRIES)) return;
    const { message, error, broker, topic, partition, groupId } = entry.log;
    const key = `${entry.namespace}/${message}/${String(broker ?? '')}`;
    const last = logged.get(key);
    if (last && Date.now() - last.at < SAME_AGAIN_AFTER_MS) {
      last.since += 1;
      return;
    }
    if (logged.size > 1_000) logged.clear();
    logged.set(key, { at: Date.now(), since: 0 });
    const details = { broker, topic, partition, group: groupId as unknown, reason: textOf(error) };
    const repeated = last && last.since > 0 ? { unsaid: last.since } : {};
    // Only then are events skipped that nobody handled: retention has removed them.
    const isLoss = entry.level === logLevel.ERROR && message.startsWith('Offset out of range');
    log[isLoss ? 'error' : 'warn']({ ...details, ...repeated }, `kafka: ${message}`);
  };
}

function textOf(error: unknown): string | undefined {
  if (error === undefined || error === null) return undefined;
  return error instanceof Error ? error.message : String(error);
}
