import type net from 'node:net';
import { silentLog } from '@reseller/testing';
import { describeWith } from '@reseller/testing/jest';
import { pino } from 'pino';
import { createKafkaEventBus } from '../src/kafka/kafka-event-bus';
import { openSocket } from '../src/kafka/kafka-client';
import type { EventBus } from '../src/event-bus';
import { eventBusContract } from './event-bus.contract';
import { missing, ownPrefix, sharedUrl } from './kafka-support';

const log = process.env['KAFKA_TEST_LOG'] ? pino({}, pino.destination(2)) : silentLog;

describeWith(missing, 'Kafka', () => {
  eventBusContract('Kafka', () => {
    const prefix = ownPrefix();
    const ends: Promise<void>[] = [];
    const lines = new Map<EventBus, () => void>();
    const make = (sessionTimeoutMs: number): EventBus => {
      const sockets = new Set<net.Socket>();
      let isCut = false;
      const bus = createKafkaEventBus({
        url: sharedUrl,
        clientId: 'contract',
        log,
        partitions: 4,
        prefix,
        sessionTimeoutMs,
        socketFactory: (args) => {
          // Nothing listens on port 1.
          const socket = openSocket(isCut ? { ...args, port: 1 } : args);
          sockets.add(socket);
          return socket;
        },
      });
      lines.set(bus, () => {
        isCut = true;
        for (const socket of sockets) socket.destroy(new Error('cut'));
      });
      return bus;
    };
    // A killed process never speaks again: its connections are cut for good.
    const kill = (bus: EventBus): Promise<void> => {
      lines.get(bus)?.();
      ends.push(bus.close());
      return Promise.resolve();
    };
    const makeBus = (): EventBus => make(60_000);
    const makeHastyBus = (): EventBus => make(3_000);
    return Promise.resolve({
      makeBus,
      makeHastyBus,
      kill,
      close: async () => void (await Promise.all(ends)),
    });
  });
});
