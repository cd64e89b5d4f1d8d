// One Kafka broker on the JVM: KRaft, one node that is broker and controller, loopback only, data in a temporary folder.
const { execFileSync, spawn } = require('node:child_process');
const { existsSync, mkdtempSync, renameSync, rmSync, writeFileSync } = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { freePort } = require('../free-port.cjs');
const { fetchJars } = require('./jars.cjs');

const heap = ['-Xmx256m', '-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC', '-XX:-UsePerfData'];
// Without it the broker is silent about why it ends, such as a port that is taken.
const log = ['-Dorg.slf4j.simpleLogger.defaultLogLevel=error'];
const STACK_LINES = /^\t.*\n/gm;

class JvmBroker {
  /**
   * Resolves when it responds; settings are added to its server.properties, `listeners` to its listeners, and users, by
   * name and password, may come by SCRAM. One of a cluster has its `addresses` by listener and what its `jvm` is to know.
   */
  static async create({ settings = {}, listeners = {}, users = {}, addresses = {}, jvm = [] } = {}) {
    const jars = await fetchJars();
    const classes = path.join(jars, 'broker.jsa');
    if (!existsSync(classes)) await archiveClasses(jars, classes);
    jvm = [...jvm, `-XX:SharedArchiveFile=${classes}`];
    for (let attempt = 1; ; attempt += 1) {
      const broker = new JvmBroker(jars, addresses, jvm);
      try {
        await broker.format(settings, listeners, users);
        await broker.start();
        return broker;
      } catch (error) {
        await broker.remove();
        // A port that was free a moment ago may be taken by now.
        if (attempt === 3) throw error;
      }
    }
  }

  constructor(jars, addresses, jvm) {
    this.java = [...heap, ...log, ...jvm];
    this.classpath = path.join(jars, '*');
    this.folder = mkdtempSync(path.join(os.tmpdir(), 'reseller-test-kafka-'));
    this.file = path.join(this.folder, 'server.properties');
    this.addresses = { ...addresses };
  }

  get brokers() {
    return this.addresses.PLAINTEXT;
  }

  get pid() {
    return this.child?.pid;
  }

  async format(settings, listeners, users) {
    const protocols = { PLAINTEXT: 'PLAINTEXT', CONTROLLER: 'PLAINTEXT', ...listeners };
    // Those of TLS go by a name, as certificates have it.
    for (const name of Object.keys(protocols))
      this.addresses[name] ??= `${name in listeners ? 'localhost' : '127.0.0.1'}:${await freePort()}`;
    const listenerUrls = Object.entries(this.addresses).map(([name, address]) => `${name}://${address}`);
    const properties = {
      'process.roles': 'broker,controller',
      'node.id': 1,
      'controller.quorum.voters': `1@${this.addresses.CONTROLLER}`,
      listeners: listenerUrls.join(','),
      'advertised.listeners': listenerUrls.filter((url) => !url.startsWith('CONTROLLER')).join(','),
      'controller.listener.names': 'CONTROLLER',
      'inter.broker.listener.name': 'PLAINTEXT',
      'listener.security.protocol.map': Object.entries(protocols)
        .map((entry) => entry.join(':'))
        .join(','),
      'log.dirs': path.join(this.folder, 'data'),
      'auto.create.topics.enable': false,
      'offsets.topic.replication.factor': 1,
      'offsets.topic.num.partitions': 4,
      'transaction.state.log.replication.factor': 1,
      'transaction.state.log.min.isr': 1,
      'group.initial.rebalance.delay.ms': 0,
      'group.min.session.timeout.ms': 1000,
      'log.cleaner.dedupe.buffer.size': 2097152,
      'num.network.threads': 2,
      'num.io.threads': 4,
      ...settings,
    };
    const lines = Object.entries(properties).map(([name, value]) => `${name}=${value}\n`);
    writeFileSync(this.file, lines.join(''));
    const scram = Object.entries(users).flatMap(([name, password]) =>
      ['SCRAM-SHA-256', 'SCRAM-SHA-512'].flatMap((mechanism) => [
        '--add-scram',
        `${mechanism}=[name=${name},password=${password}]`,
      ]),
    );
    const id = Buffer.from('reseller-testing').toString('base64url');
    execFileSync(
      'java',
      [
        ...this.java,
        '-cp',
        this.classpath,
        'kafka.tools.StorageTool',
        'format',
        '-t',
        id,
        '-c',
        this.file,
        ...scram,
      ],
      { stdio: 'pipe' },
    );
  }

  /** Starts it on its ports and data; resolves when it responds. */
  async start() {
    const child = spawn('java', [...this.java, '-cp', this.classpath, 'kafka.Kafka', this.file], {
      stdio: ['ignore', 'pipe', 'pipe'],
      cwd: this.folder,
    });
    let said = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk) => (said = `${said}${chunk}`.slice(-8000)));
    this.child = child;
    // Not before all that it said has been read.
    let hasDied = false;
    this.died = new Promise((resolve) => child.once('close', resolve)).then(() => (hasDied = true));
    await untilReady(
      this.brokers,
      () => hasDied && `the Kafka broker did not start: ${said.replace(STACK_LINES, '')}`,
    );
  }

  /** Ends it as a crash does. */
  kill() {
    return this.end('SIGKILL');
  }

  /** Ends it in order. */
  stop() {
    return this.end('SIGTERM');
  }

  async end(signal) {
    if (!this.child) return;
    if (this.child.exitCode === null && this.child.signalCode === null) this.child.kill(signal);
    await this.died;
  }

  async remove() {
    await this.kill();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/**
 * Has the JVM keep the classes of a broker as it has loaded them, which spares every later start half of its CPU; they are made
 * by one that does nothing else. Another JVM or other jars pass over the file.
 */
async function archiveClasses(jars, file) {
  const draft = `${file}.${process.pid}`;
  const broker = new JvmBroker(jars, {}, [`-XX:ArchiveClassesAtExit=${draft}`]);
  try {
    await broker.format({}, {}, {});
    await broker.start();
    await broker.stop();
    renameSync(draft, file);
  } finally {
    await broker.remove();
    rmSync(draft, { force: true });
  }
}

/** Resolves when an administrator's client sees the broker in its cluster. */
async function untilReady(brokers, failure = () => undefined) {
  const { Kafka, logLevel } = require('kafkajs');
  const retry = { retries: 0 };
  for (const until = Date.now() + 180_000; ;) {
    const admin = new Kafka({ brokers: brokers.split(','), logLevel: logLevel.NOTHING, retry }).admin({
      retry,
    });
    try {
      const cluster = await catchingStrays(() => admin.connect().then(() => admin.describeCluster()));
      if (cluster.brokers.length === 0) throw new Error('no broker is registered yet');
      return;
    } catch (error) {
      const reason = failure() || (Date.now() > until && `Kafka does not respond: ${error.message}`);
      if (reason) throw new Error(reason, { cause: error });
      await new Promise((resolve) => setTimeout(resolve, 100));
    } finally {
      await admin.disconnect().catch(() => undefined);
    }
  }
}

/**
 * kafkajs throws where nobody can catch it when what responds is no broker: another process that took the port, or, on a port that
 * nobody listens on yet, the connection itself.
 */
function catchingStrays(work) {
  let stray;
  return new Promise((resolve, reject) => {
    stray = reject;
    process.on('uncaughtException', stray);
    work().then(resolve, reject);
  }).finally(() => process.off('uncaughtException', stray));
}

module.exports = { JvmBroker, untilReady };
