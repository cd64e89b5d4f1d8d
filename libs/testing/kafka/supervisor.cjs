// Keeps one throw-away Kafka broker for as long as its standard input stays open, so that a test run that is killed
// leaves neither a broker nor a folder behind. Prints one JSON line when the broker is ready, and one for each command
// it reads: kill, stop, start. The broker is a container where Docker responds, else it runs on the JVM.
const { existsSync } = require('node:fs');
const http = require('node:http');
const { createInterface } = require('node:readline');
const { jarsMissing } = require('./jars.cjs');
const { freePort } = require('../free-port.cjs');
const { JvmBroker, untilReady } = require('./jvm-broker.cjs');

main().catch((error) => {
  process.stdout.write(`${JSON.stringify({ error: error?.message ?? String(error) })}\n`);
  process.exitCode = 1;
});

async function main() {
  let commands;
  const end = () => (commands ? commands.close() : process.stdin.destroy());
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, end);
  const options = JSON.parse(process.argv[2] ?? '{}');
  const broker = await createBroker(options);
  const send = (message) => process.stdout.write(`${JSON.stringify(message)}\n`);
  try {
    send({ ...describe(broker), addresses: broker.addresses });
    commands = createInterface({ input: process.stdin });
    for await (const command of commands) {
      await broker[command]();
      send(describe(broker));
    }
  } finally {
    await broker.remove();
  }
  process.stdin.destroy();
}

function describe({ brokers, pid, kind = 'jvm' }) {
  return { brokers, pid, kind };
}

/** What the JVM broker alone can be given (listeners, settings) is wanted of no container. */
async function createBroker(options) {
  const isPlain = Object.keys(options).length === 0;
  if (isPlain && (await isDockerAvailable())) return ContainerBroker.create();
  const missing = jarsMissing();
  if (missing) throw new Error(`no Docker engine responds, and ${missing}`);
  return JvmBroker.create(options);
}

class ContainerBroker {
  static async create() {
    const { GenericContainer } = require('testcontainers');
    const port = await freePort();
    const container = await new GenericContainer(
      'apache/kafka:3.9.1@sha256:4ceccc577f03f51f6af8dbfda55194d0d892f4fa7913ffbded567ce3895622ed',
    )
      .withExposedPorts({ container: port, host: port })
      .withEnvironment({
        KAFKA_NODE_ID: '1',
        KAFKA_PROCESS_ROLES: 'broker,controller',
        KAFKA_CONTROLLER_QUORUM_VOTERS: '1@localhost:9093',
        KAFKA_LISTENERS: `PLAINTEXT://:${port},CONTROLLER://:9093`,
        KAFKA_ADVERTISED_LISTENERS: `PLAINTEXT://localhost:${port}`,
        KAFKA_CONTROLLER_LISTENER_NAMES: 'CONTROLLER',
        KAFKA_LISTENER_SECURITY_PROTOCOL_MAP: 'CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT',
        KAFKA_AUTO_CREATE_TOPICS_ENABLE: 'false',
        KAFKA_OFFSETS_TOPIC_REPLICATION_FACTOR: '1',
        KAFKA_TRANSACTION_STATE_LOG_REPLICATION_FACTOR: '1',
        KAFKA_TRANSACTION_STATE_LOG_MIN_ISR: '1',
        KAFKA_GROUP_INITIAL_REBALANCE_DELAY_MS: '0',
        KAFKA_GROUP_MIN_SESSION_TIMEOUT_MS: '1000',
      })
      .start();
    const broker = new ContainerBroker(container, `localhost:${port}`);
    await untilReady(broker.brokers);
    return broker;
  }

  constructor(container, brokers) {
    this.container = container;
    this.brokers = brokers;
    this.kind = 'container';
  }

  async kill() {
    await this.container.stop({ remove: false, timeout: 0 });
  }

  async stop() {
    await this.container.stop({ remove: false });
  }

  async start() {
    await this.container.restart();
    await untilReady(this.brokers);
  }

  async remove() {
    await this.container.stop();
  }
}

/** Whether a Docker engine responds within half a second. */
async function isDockerAvailable() {
  if (process.env.DOCKER_HOST) return true;
  const socketPath = '/var/run/docker.sock';
  if (!existsSync(socketPath)) return false;
  return new Promise((resolve) => {
    const request = http.get({ socketPath, path: '/_ping', timeout: 500 }, (response) => {
      response.resume();
      resolve(response.statusCode === 200);
    });
    request.on('timeout', () => request.destroy(new Error('timeout'))).on('error', () => resolve(false));
  });
}
