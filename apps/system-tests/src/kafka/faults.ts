import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { databaseUrlOf } from '../platform/rows-of';
import { findRoot } from '../platform/start-platform';
import type { KafkaCluster } from './kafka-cluster';

/** Puts right what was done. */
type Mend = () => Promise<void>;

interface Fault {
  readonly what: string;
  strike(cluster: KafkaCluster): Promise<Mend>;
}

const ORDERS = 'reseller.orders.order.v1';
const WALLETS = 'reseller.finance.wallet.v1';
const run = promisify(execFile);

/** As a team does it, by the command of the service that writes the topic. */
async function addPartitions(cluster: KafkaCluster, writer: string, topic: string): Promise<void> {
  const command = path.join(findRoot(), 'dist/apps', writer, 'add-partitions.js');
  await run(process.execPath, [command, '--topic', topic, '--partitions', '12'], {
    env: {
      PATH: process.env['PATH'],
      NODE_ENV: 'development',
      DATABASE_URL: databaseUrlOf(writer),
      ...cluster.environment,
    },
  });
}

/** What befalls Kafka. */
export const FAULTS = {
  kill: {
    what: 'the broker that leads orders loses its power',
    strike: async (cluster) => {
      const leader = await cluster.leaderOf(ORDERS);
      await cluster.kill(leader);
      return () => cluster.revive(leader);
    },
  },
  cut: {
    what: 'the broker that leads orders reaches nobody, and nobody reaches it',
    strike: async (cluster) => cluster.cutOff(await cluster.leaderOf(ORDERS)),
  },
  reassign: {
    what: 'all partitions move off the broker that leads orders, and back',
    strike: async (cluster) => {
      const leader = await cluster.leaderOf(ORDERS);
      const others = cluster.ids.filter((id) => id !== leader);
      await cluster.moveAllTo(others);
      return () => cluster.moveAllTo([...others, leader]);
    },
  },
  partitions: {
    what: 'the topics of orders and wallets get 12 partitions instead of 6',
    strike: async (cluster) => {
      await addPartitions(cluster, 'orders-saga', ORDERS);
      await addPartitions(cluster, 'finance', WALLETS);
      return () => Promise.resolve();
    },
  },
} as const satisfies Record<string, Fault>;

/** The name of a fault. */
export type FaultName = keyof typeof FAULTS;
