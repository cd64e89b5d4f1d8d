import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Case, Cases, Contract, Given, RpcContract, ServiceContract, Use } from './contract';
import { differencesFrom, readGolden, writeGolden } from './golden';
import { refusalOf, type World } from './world';

/** A service under test. */
export interface Subject {
  readonly world: World;
  stop(): Promise<void>;
}

/** Options of a run. */
export interface ContractRun {
  /** Compares what was answered with the golden file that consumers are held to; only for our own service. */
  readonly hasGolden?: boolean;
}

type Check = (world: World) => Promise<unknown>;

/** Declares a Jest test for each promise of a contract, against the service that `start` gives. */
export function describeContract(
  contract: Contract,
  start: () => Promise<Subject>,
  run: ContractRun = {},
): void {
  describe(`contract of ${contract.app}`, () => {
    let subject: Subject | undefined;
    const world = (): World => {
      if (!subject) throw new Error('the service did not start');
      return subject.world;
    };
    const declare = (checks: readonly (readonly [string, Check])[]): void => {
      for (const [sentence, check] of checks) it(sentence, async () => void (await check(world())));
    };
    beforeAll(async () => {
      subject = await start();
    }, 60_000);
    afterAll(async () => {
      await subject?.world.close();
      await subject?.stop();
    });

    for (const service of contract.services)
      describe(service.service, () => {
        for (const rpc of Object.keys(service.rpcs)) describe(rpc, () => declare(checksOf(service, rpc)));
      });
    for (const { type, topic, promises } of contract.publishes)
      describe(`publishes ${type} on ${topic}`, () => declare(withoutGiven(promises)));
    for (const { type, topic, effects } of contract.consumes)
      describe(`takes in ${type} from ${topic}`, () => declare(withoutGiven(effects)));
    if (run.hasGolden)
      it('replies look as the golden file has them', () => {
        const { golden } = world();
        if (process.env['CONTRACT_UPDATE_GOLDEN']) writeGolden(contract.app, golden.toJson());
        // Else: libs/contract-testing/README.md, "Golden files".
        expect(differencesFrom(readGolden(contract.app), golden.toJson())).toEqual([]);
      });
  });
}

/** Every check of one RPC with its sentence. */
export function checksOf({ service, speaksFor, rpcs }: ServiceContract, name: string): [string, Check][] {
  const rpc = `${service}.${name}`;
  const contract = rpcs[name] as RpcContract;
  const using = (check: Case) => (world: World) => check(useOf(world, rpc, contract));
  const refused = (code: string, check: Check) => async (world: World) =>
    expect(await refusalOf(check(world))).toMatchObject({ code });
  const checks: [string, Check][] = Object.entries(contract.promises).map(([sentence, check]) => [
    sentence,
    using(check),
  ]);
  for (const [code, cases] of Object.entries(contract.refuses ?? {}))
    for (const [sentence, how] of Object.entries(cases)) {
      const check: Case = typeof how === 'function' ? how : async (use) => (await use.given()).call(how);
      checks.push([`${code}: ${sentence}`, refused(code, using(check))]);
    }
  const faulty = async (world: World, caller: Record<string, string>) =>
    expect(await refusalOf(world.send(rpc, {}, caller))).toMatchObject({
      code: 'INTERNAL_ERROR',
      details: {},
    });
  if (contract.needsOperator)
    checks.push(['INTERNAL_ERROR: a call that names no operator', (world) => faulty(world, {})]);
  if (speaksFor === 'the partner of the metadata')
    checks.push([
      'INTERNAL_ERROR: a call without a partner in its metadata',
      async (world) => {
        for (const name of ['x-partner-id', 'x-environment']) {
          const { [name]: _gone, ...caller } = world.partner().caller;
          await faulty(world, caller);
        }
      },
    ]);
  return checks;
}

function useOf(world: World, rpc: string, { given }: RpcContract): Use {
  return Object.assign(Object.create(world) as World, {
    given: async (): Promise<Given> => {
      if (!given) throw new Error(`${rpc} has no call that is given`);
      const [who, request = {}] = await given(world);
      return { rpc, who, request, call: (patch = {}) => who.call(rpc, { ...request, ...patch }) };
    },
  });
}

function withoutGiven(cases: Cases): [string, Check][] {
  return Object.entries(cases).map(([sentence, check]) => [
    sentence,
    (world) => check(useOf(world, '', { promises: {} })),
  ]);
}
