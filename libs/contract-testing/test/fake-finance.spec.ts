import { afterAll, beforeAll, describe, it } from '@jest/globals';
import { checksOf } from '../src/describe-contract';
import { FakeFinance } from '../src/finance/fake-finance';
import { funds, orderFunds } from '../src/finance/funds.contract';
import { limitedReservations } from '../src/finance/spending-limit.contract';
import { settlements } from '../src/finance/settlement.contract';
import { GoldenRecorder } from '../src/golden';
import { World } from '../src/world';

/** What the fake does not have: ledger lines to list, display rates, and limits on spending. */
const NOT_MODELLED = [
  ...Object.keys(limitedReservations),
  'returns the display rate of a partner with a display currency',
  'returns the display rate of the moment, of a repetition too',
  'takes the amount, or less, frees the rest and posts one Debit',
  'gives back in parts that never exceed the capture, each one Credit (Refund)',
  'charges the sum of the lines and credits the commission at one moment',
  'an order of 0.00 needs no reservation and posts no line',
  'repeated with other notes, it returns the first outcome and keeps the first notes',
  'gives goods and VAT of the units back and claws their commission back',
  'keeps the operator’s decision that it follows from; repeated, the first one',
];

// orders-saga's contract is run with this fake: it must be finance, as far as it goes.
describe('the fake of finance', () => {
  let world: World;
  beforeAll(async () => {
    const fake = await new FakeFinance().start();
    world = new World(fake.address, new GoldenRecorder('finance'), undefined, [], { finance: fake });
  });
  afterAll(() => world.close());

  for (const service of [funds, settlements, orderFunds])
    for (const rpc of Object.keys(service.rpcs))
      for (const { sentence, run } of checksOf(service, rpc))
        if (!NOT_MODELLED.includes(sentence))
          it(`keeps ${service.service}.${rpc}: ${sentence}`, async () => void (await run(world)));
});
