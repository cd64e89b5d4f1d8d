import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { findTestingFolder } from './find-testing-folder';

/** A Kafka broker of a test's own, on the same ports and data through all its lives. */
export interface TestKafka {
  /** host:port, as clients take it. */
  brokers: string;
  /** host:port of each listener by name, for a broker that was given more of them. */
  addresses: Record<string, string>;
  /** The broker's process, where it runs on this machine. */
  pid: number | undefined;
  /** Ends it without warning, as SIGKILL does. */
  kill(): Promise<void>;
  /** Ends it in order. */
  stop(): Promise<void>;
  /** Brings it back after `kill` or `stop`; resolves when it responds. */
  start(): Promise<void>;
  /** Ends it for good and removes its data. */
  remove(): Promise<void>;
}

/**
 * More of a broker: Kafka's settings by name, listeners beside PLAINTEXT as name and security protocol (on `localhost`),
 * and users that may come by SCRAM as name and password. One of a cluster is given the host:port of each listener, and
 * options of its JVM.
 */
interface TestKafkaOptions {
  settings?: Record<string, string>;
  listeners?: Record<string, string>;
  users?: Record<string, string>;
  addresses?: Record<string, string>;
  jvm?: string[];
}

interface Report {
  brokers: string;
  addresses?: Record<string, string>;
  pid?: number;
  error?: string;
}

/**
 * Starts a broker for a test that needs one of its own, such as one that kills it; about four seconds on the JVM. It
 * ends at the latest with this process. Rejects with what is missing where no broker can be had.
 */
export async function startKafka(options: TestKafkaOptions = {}): Promise<TestKafka> {
  const script = path.join(findTestingFolder('kafka'), 'supervisor.cjs');
  const child = spawn(
    process.execPath,
    ['--disable-warning=TimeoutNegativeWarning', script, JSON.stringify(options)],
    { stdio: ['pipe', 'pipe', 'inherit'], detached: true },
  );
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const response = async (): Promise<Report> => {
    const { value, done } = await lines.next();
    if (done) throw new Error(`the keeper of Kafka for tests ended early (exit ${child.exitCode})`);
    const reported = JSON.parse(value as string) as Report;
    if (reported.error) throw new Error(reported.error);
    return reported;
  };
  const { brokers, addresses = {}, pid } = await response();
  const kafka: TestKafka = {
    brokers,
    addresses,
    pid,
    kill: () => order('kill'),
    stop: () => order('stop'),
    start: () => order('start'),
    remove: async () => {
      if (child.exitCode !== null) return;
      const exited = once(child, 'exit');
      child.stdin.end();
      await exited;
    },
  };
  const order = async (command: string): Promise<void> => {
    child.stdin.write(`${command}\n`);
    kafka.pid = (await response()).pid;
  };
  return kafka;
}

/** Why a broker with options cannot be had here, which only the JVM runs; undefined where it can. */
export function kafkaMissing(): string | undefined {
  const jars = createRequire(__filename)(path.join(findTestingFolder('kafka'), 'jars.cjs')) as {
    jarsMissing(): string | undefined;
  };
  return jars.jarsMissing();
}

/** The run's shared broker, or why there is none. */
type KafkaOfThisRun = { brokers: string; missing?: never } | { brokers?: never; missing: string };

/**
 * The broker that all tests of a Jest run share, which its set-up starts where a spec, or a file of test/, mentions
 * kafkaForTests; topics and groups are kept apart by names of the test's own. Nobody may stop it.
 */
export function kafkaForTests(): KafkaOfThisRun {
  const { RESELLER_TEST_KAFKA: brokers, RESELLER_TEST_KAFKA_MISSING: missing } = process.env;
  if (brokers) return { brokers };
  return { missing: missing ?? 'the Jest set-up (libs/toolchain/jest.preset.cjs) started no Kafka' };
}
