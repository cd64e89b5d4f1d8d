import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Kafka, logLevel } from 'kafkajs';
import { eventually } from './eventually';
import { kafkaForTests, startKafka, type TestKafka } from './start-kafka';

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
