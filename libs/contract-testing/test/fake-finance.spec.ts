import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ServiceContract } from '../src/contract';
import { FakeFinance } from '../src/finance/fake-finance';
import { funds } from '../src/finance/funds.contract';
import { orderFunds } from '../src/finance/order-funds.contract';
import { settlements } from '../src/finance/settlement.contract';
import { refusalOf, World } from '../src/world';

/** What the model does not have: ledger lines to list, and display rates. */
const NOT_MODELLED = [
  'answers the display rate of a partner with a display currency',
  'takes the amount, or less, frees the rest and posts one Debit',
  'gives back in parts that never exceed the capture, each one Credit (Refund)',
  'charges the sum of the lines and credits the commission, in one ledger transaction',
  'an order of 0.00 needs no reservation and posts no line',
  'gives goods and VAT of the units back and claws their commission back',
];

// orders-saga's contract is run with this fake: it must be finance, as far as it goes.
describe('the fake of finance', () => {
  let world: World;
  beforeAll(async () => {
    const fake = await new FakeFinance().start();
    world = new World(fake.address, undefined, [], { finance: fake });
  });
  afterAll(() => world.close());

  it.each([funds, settlements, orderFunds].flatMap(casesOf))('keeps %s', async (_, check) => check(world));

  function casesOf({ service, rpcs }: ServiceContract): [string, (world: World) => Promise<unknown>][] {
    return Object.entries(rpcs).flatMap(([rpc, { promises, refuses = {} }]) => [
      ...Object.entries(promises)
        .filter(([sentence]) => !NOT_MODELLED.includes(sentence))
        .map(([sentence, check]) => [`${service}.${rpc}: ${sentence}`, check] as [string, typeof check]),
      ...Object.entries(refuses).flatMap(([code, cases]) =>
        Object.entries(cases).map(
          ([sentence, check]) =>
            [
              `${service}.${rpc}: ${code}: ${sentence}`,
              async (at: World) => expect(await refusalOf(check(at))).toMatchObject({ code }),
            ] as [string, typeof check],
        ),
      ),
    ]);
  }
});
