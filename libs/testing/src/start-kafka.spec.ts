import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Kafka, logLevel } from 'kafkajs';
import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { eventually } from './eventually';
import { kafkaForTests, startKafka, type TestKafka } from './start-kafka';

const untilReady = `
  const { untilReady } = require(${JSON.stringify(path.join(__dirname, '../kafka/jvm-broker.cjs'))});
  const server = require('node:net').createServer((socket) => socket.on('error', () => 0).end(Buffer.from([0, 0, 0, 2, 0, 0])));
  server.listen(0, '127.0.0.1', () => {
    let looks = 0;
    untilReady('127.0.0.1:' + server.address().port, () => (looks += 1) > 2 && 'no broker came')
      .catch(({ message }) => { console.log(message); process.exit(0); });
  });`;

it('when something that is no broker responds on its port, then it is waited for all the same', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['-e', untilReady], { timeout: 60_000 });
  expect(stdout).toBe('no broker came\n');
});

const { missing } = kafkaForTests();
if (missing && process.env['CI'] === 'true') {
  it('when tests run in CI, then a Kafka broker is there', () => {
    throw new Error(missing);
  });
}
const describeOr = missing ? describe.skip : describe;

describeOr(`a Kafka broker of a test’s own${missing ? ` (skipped: ${missing})` : ''}`, () => {
  let kafka: TestKafka;
  beforeAll(async () => {
    kafka = await startKafka();
  });
  afterAll(() => kafka.remove());

  it('when it is killed and started again, then it is away meanwhile and has its topics after', async () => {
    const retry = { retries: 0 };
    const admin = new Kafka({ brokers: [kafka.brokers], logLevel: logLevel.NOTHING, retry }).admin({ retry });
    await admin.connect();
    await admin.createTopics({ topics: [{ topic: 'kept', numPartitions: 3 }] });
    const pid = kafka.pid;
    await kafka.kill();
    await expect(admin.listTopics()).rejects.toThrow();
    await kafka.start();
    await eventually(async () => {
      await admin.connect();
      expect(await admin.listTopics()).toContain('kept');
    });
    expect(kafka.pid).not.toBe(pid);
    await admin.disconnect();
  });
});
