import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { newTopup } from '../../src/clients/bodies';
import { OperatorClient, type TestPartner } from '../../src/clients/operator-client';
import { until } from '../../src/until';
import { checkBooks } from '../../src/overload/check-books';
import { runLoad, type Outcome, type Sample } from '../../src/overload/load';
import { startPlatform, type StartedPlatform } from '../../src/platform/start-platform';

/** What `npm run overload` does at size and with figures: here the door is so narrow that any machine is flooded. */
const DEPOSIT = 100_000;
let platform: StartedPlatform;
let flood: TestPartner;
let bystander: TestPartner;

beforeAll(async () => {
  platform = await startPlatform({ ADMISSION_MAX_CONCURRENT: '4', ADMISSION_MAX_WAITING: '8' });
  process.env.PLATFORM_JSON = platform.file;
  const operator = new OperatorClient(platform.description);
  flood = await operator.newPartner({ deposit: DEPOSIT });
  bystander = await operator.newPartner({ deposit: DEPOSIT });
});
afterAll(() => platform?.stop());

const of = (samples: readonly Sample[], sender: string, outcome: Outcome): Sample[] =>
  samples.filter((one) => one.sender === sender && one.outcome === outcome);

test('when far more is offered than can be done, then each order is made or refused with Retry-After, what was refused was not written, and its repeat is one order (spec §14.2)', async () => {
  const token = await flood.sandbox.accessToken();
  const other = await bystander.sandbox.accessToken();
  const samples = await runLoad({
    gatewayUrl: platform.description.gatewayUrl,
    prefix: 'flood',
    senders: [
      { name: 'flood', token, sends: 'topup', atOnce: 48, seconds: 3 },
      { name: 'bystander', token: other, sends: 'topup', atOnce: 1, seconds: 3 },
      { name: 'reads', token: other, sends: 'balance', atOnce: 1, seconds: 3 },
    ],
  });
  expect(samples.filter(({ outcome }) => outcome === 'fault').map(({ what }) => what)).toEqual([]);
  const refused = of(samples, 'flood', 'refused');
  expect(of(samples, 'flood', 'done').length).toBeGreaterThan(0);
  expect(refused.length).toBeGreaterThan(0);
  // Partners take turns, and reads have a door of their own: neither is refused because another floods.
  expect([...of(samples, 'bystander', 'refused'), ...of(samples, 'reads', 'refused')]).toEqual([]);
  expect(
    await checkBooks(
      flood,
      DEPOSIT,
      samples.filter(({ sender }) => sender === 'flood'),
    ),
  ).toEqual([]);

  const again = refused.slice(0, 20).map(({ reference }) => reference);
  for (const externalReference of again) {
    const body = newTopup({ externalReference, amount: 5 });
    await until('the repeat is an order', async () => (await flood.sandbox.topup(body)).status === 200);
  }
  const orders = await flood.sandbox.allOrders();
  expect(orders.filter(({ externalReference }) => again.includes(externalReference))).toHaveLength(
    again.length,
  );
  expect(await checkBooks(flood, DEPOSIT, [])).toEqual([]);
});
