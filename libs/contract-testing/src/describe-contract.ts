import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Cases, Contract, ServiceContract } from './contract';
import { differencesFrom, readGolden, writeGolden } from './golden';
import { newPartner, refusalOf, type World } from './world';

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
    beforeAll(async () => {
      subject = await start();
    }, 60_000);
    afterAll(async () => {
      await subject?.world.close();
      await subject?.stop();
    });

    for (const service of contract.services) describeService(service, world);
    for (const { type, topic, promises } of contract.publishes)
      describe(`publishes ${type} on ${topic}`, () => declare(promises, world));
    for (const { type, topic, effects } of contract.consumes)
      describe(`takes in ${type} from ${topic}`, () => declare(effects, world));
    if (run.hasGolden)
      it('answers look as the consumers are told they do', () => compareWithGolden(contract, world()));
  });
}

function describeService({ service, speaksFor, rpcs }: ServiceContract, world: () => World): void {
  describe(service, () => {
    for (const [rpc, { promises, refuses = {}, needsOperator }] of Object.entries(rpcs)) {
      describe(rpc, () => {
        declare(promises, world);
        for (const [code, cases] of Object.entries(refuses)) {
          for (const [sentence, check] of Object.entries(cases)) {
            it(`${code}: ${sentence}`, async () => {
              expect(await refusalOf(check(world()))).toMatchObject({ code });
            });
          }
        }
        if (needsOperator) {
          it('INTERNAL_ERROR: a call that names no operator', async () => {
            const refusal = await refusalOf(world().call(`${service}.${rpc}`));
            expect(refusal).toMatchObject({ code: 'INTERNAL_ERROR', details: {} });
          });
        }
        if (speaksFor === 'the partner of the metadata') {
          it('INTERNAL_ERROR: a call without a partner in its metadata', async () => {
            const { 'x-request-id': _, ...nobody } = newPartner().caller;
            for (const name of ['x-partner-id', 'x-environment']) {
              const { [name]: _gone, ...caller } = nobody;
              const refusal = await refusalOf(world().call(`${service}.${rpc}`, {}, caller));
              expect(refusal).toMatchObject({ code: 'INTERNAL_ERROR', details: {} });
            }
          });
        }
      });
    }
  });
}

function declare(cases: Cases, world: () => World): void {
  for (const [sentence, check] of Object.entries(cases))
    it(sentence, async () => void (await check(world())));
}

function compareWithGolden({ app }: Contract, { golden }: World): void {
  if (process.env['CONTRACT_UPDATE_GOLDEN']) writeGolden(app, golden.toJson());
  // Else: libs/contract-testing/README.md, "What answers look like".
  expect(differencesFrom(readGolden(app), golden.toJson())).toEqual([]);
}
