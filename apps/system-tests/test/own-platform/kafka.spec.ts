import { expect, test } from '@jest/globals';
import { kafkaMissing } from '@reseller/testing';
import { runKafkaDrill } from '../../src/kafka/run-kafka-drill';

const missing = kafkaMissing();
const skipped = missing ? `, skipped: ${missing}` : '';

(missing ? test.skip : test)(
  `when a broker of three loses its power under load and comes back, then no order and no event is lost or out of order${skipped}`,
  async () => {
    expect(await runKafkaDrill('kill', { seconds: 2, clients: 3, restMs: 500 })).toEqual([]);
  },
  600_000,
);
