import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { isErrorCode } from '@reseller/errors';
import {
  UNREACHABLE,
  type Case,
  type Contract,
  type Given,
  type Message,
  type RpcContract,
  type Sentences,
  type ServiceContract,
  type Step,
  type Use,
} from './contract';
import { derivedSentences } from './derived-sentences';
import { Party } from './party';
import { refusalOf } from './refusal';
import { steps } from './variations';
import type { World } from './world';

/** A service under test. */
export interface Subject {
  readonly world: World;
  stop(): Promise<void>;
}

/** Options of a run. */
export interface ContractRun {
  /** Compares every reply with the golden file that consumers are held to; only for our own service. */
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
    for (const { type, topic, sentences } of contract.publishes)
      describe(`publishes ${type} on ${topic}`, () => declare(checksIn(type, { sentences })));
    for (const { type, topic, sentences } of contract.consumes)
      describe(`takes in ${type} from ${topic}`, () => declare(checksIn(type, { sentences })));
    if (run.hasGolden)
      // libs/contract-testing/README.md, "Golden files".
      it('replies look as the golden file has them', () => expect(world().golden.differences()).toEqual([]));
  });
}

/** The code that a sentence begins with, when it says what is refused. */
export function codeOf(sentence: string): string | undefined {
  const code = /^([A-Z_]{6,}): /.exec(sentence)?.[1];
  if (code !== undefined && !isErrorCode(code)) throw new Error(`${code} is not a code of the catalogue`);
  return code;
}

/** Every sentence of one RPC: its own, and those that follow from what its .proto file says. */
export const sentencesOf = (service: ServiceContract, name: string): Sentences => ({
  ...derivedSentences(service, name),
  ...service.rpcs[name]?.sentences,
});

/** Every check of one RPC with its sentence. */
export function checksOf(service: ServiceContract, name: string): [string, Check][] {
  const rpc = `${service.service}.${name}`;
  const contract = service.rpcs[name];
  const given =
    contract?.given ?? ((world: World) => [service.isPartners ? world.partner() : world] as const);
  const checks = checksIn(rpc, { given, sentences: sentencesOf(service, name) });
  const faulty = async (world: World, { ...caller }: Record<string, string>, without?: string) => {
    if (without) delete caller[without];
    const fault = { code: 'INTERNAL_ERROR', details: {} };
    expect(await refusalOf(world.send(rpc, {}, caller))).toMatchObject(fault);
  };
  if (contract?.needsOperator)
    checks.push(['INTERNAL_ERROR: a call that names no operator', (world) => faulty(world, {})]);
  if (service.isPartners)
    checks.push([
      'INTERNAL_ERROR: a call without a partner in its metadata',
      async (world) => {
        for (const name of ['x-partner-id', 'x-environment'])
          await faulty(world, world.partner().caller, name);
      },
    ]);
  return checks;
}

const checksIn = (name: string, { given, sentences }: RpcContract): [string, Check][] =>
  Object.entries(sentences).flatMap(([sentence, check]) => {
    if (check === UNREACHABLE) return [];
    return [[sentence, (world) => holds(world, name, given, sentence, caseOf(check))]];
  });

function caseOf(check: Case | Message | readonly Step[]): Case {
  if (typeof check === 'function') return check as Case;
  return Array.isArray(check) ? steps(...(check as Step[])) : (_, { call }) => call(check as Message);
}

async function holds(
  world: World,
  rpc: string,
  given: RpcContract['given'],
  sentence: string,
  check: Case,
): Promise<void> {
  const code = codeOf(sentence);
  const use = Object.assign(Object.create(world) as World, { rpc });
  // A case that does not take the call is spared its arrangement.
  const call = (check.length > 1 ? await givenOf(use, given) : undefined) as Given;
  if (code) return expect(await refusalOf(check(use, call))).toMatchObject({ code });
  const returned = await check(use, call);
  if (returned !== undefined) world.golden.compare(rpc, sentence, returned);
}

async function givenOf(use: Use, given: RpcContract['given']): Promise<Given> {
  const { rpc } = use;
  if (!given) throw new Error(`${rpc} has no call that is given`);
  const [who, request = {}, more = {}] = await given(use);
  return {
    // Of a call that no partner makes it is the one that was arranged for it.
    get partner(): Party {
      if (who instanceof Party) return who;
      throw new Error(`${rpc} is given a call that no partner makes`);
    },
    ...(more as object),
    who,
    request,
    call: (patch = {}) => who.call(rpc, { ...request, ...patch }),
  };
}
