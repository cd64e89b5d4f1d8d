import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { isErrorCode } from '@reseller/errors';
import { createEventBus } from '@reseller/messaging';
import { silentLog } from '@reseller/testing';
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
import { GoldenRecorder } from './golden';
import { Party } from './party';
import { refusalOf } from './refusal';
import { once } from './schema/schema';
import { isWaiting, steps } from './variations';
import { World } from './world';

/** So many cases that wait are made at a time: each arranges what it is about, and has to be done with that in good time. */
const SIDE_BY_SIDE = 6;

type Addresses = Readonly<Record<string, string>>;

/** A service that was started for a suite: where it listens, and the event bus that it is connected to. */
export interface Started {
  readonly address: string;
  /** Absent where nobody said which: cases that need one fail and say so. */
  readonly bus?: { readonly url: string } | undefined;
  stop(): Promise<void>;
}

interface Check {
  readonly sentence: string;
  readonly isWaiting: boolean;
  readonly run: (world: World) => Promise<unknown>;
}

/**
 * Declares a Jest test for each promise of a contract, against the service that `start` starts with the addresses of its fakes. With
 * addresses for the fakes it is held to what is promised, and not to the golden file's forms: those are our own service's.
 */
export function describeContract(
  contract: Contract,
  start: (dependencies: Addresses) => Promise<Started>,
  at?: Addresses,
): void {
  describe(`contract of ${contract.app}`, () => {
    let subject: { world: World; stop(): Promise<void> } | undefined;
    const world = (): World => {
      if (!subject) throw new Error('the service did not start');
      return subject.world;
    };
    beforeAll(async () => {
      subject = await startSubject(contract, start, at);
    }, 60_000);
    afterAll(async () => {
      await subject?.world.close();
      await subject?.stop();
    });

    const groups: [title: string, checks: readonly Check[]][] = [];
    for (const service of contract.services)
      for (const rpc of Object.keys(service.rpcs))
        groups.push([`${service.service} ${rpc}`, checksOf(service, rpc)]);
    for (const one of contract.publishes)
      groups.push([`publishes ${one.type} on ${one.topic}`, checksIn(one.type, one)]);
    for (const one of contract.consumes)
      groups.push([`takes in ${one.type} from ${one.topic}`, checksIn(one.type, one)]);
    const waiting = groups.flatMap(([, checks]) => checks.filter(({ isWaiting }) => isWaiting));
    // They cost time and no work: the first that is due makes all of them, some side by side, and nothing beside them.
    const waited = once(async (subject: World) => {
      const [left, outcomes] = [waiting.values(), new Map<Check, Promise<unknown>>()];
      const make = async (): Promise<void> => {
        for (const check of left) {
          const outcome = check.run(subject);
          outcomes.set(check, outcome);
          await outcome.catch(() => undefined);
        }
      };
      await Promise.all(Array.from({ length: SIDE_BY_SIDE }, make));
      return outcomes;
    });
    const outcomeOf = async (check: Check): Promise<unknown> =>
      check.isWaiting ? (await waited(world())).get(check) : check.run(world());
    for (const [title, checks] of groups)
      describe(title, () => {
        for (const check of checks) it(check.sentence, async () => void (await outcomeOf(check)));
      });
    if (!at)
      // libs/contract-testing/README.md, "Golden files".
      it('replies look as the golden file has them', () => expect(world().golden.differences()).toEqual([]));
  });
}

/** Starts the dependencies, then the service with their addresses. */
async function startSubject(
  contract: Contract,
  start: (dependencies: Addresses) => Promise<Started>,
  at: Addresses = {},
) {
  const dependencies = contract.dependencies();
  const addresses: Record<string, string> = {};
  for (const [name, fake] of Object.entries(dependencies))
    addresses[name] = (await fake.start(at[name])).address;
  const { address, bus, stop } = await start(addresses);
  const events = bus && (await createEventBus({ url: bus.url, clientId: 'contract', log: silentLog }));
  const topics = [...new Set(contract.publishes.map(({ topic }) => topic))];
  const operatorRpcs = contract.services.flatMap(({ service, rpcs }) =>
    Object.keys(rpcs)
      .filter((rpc) => rpcs[rpc]?.needsOperator)
      .map((rpc) => `${service}.${rpc}`),
  );
  const golden = new GoldenRecorder(contract.app);
  return { world: new World(address, golden, events, topics, dependencies, new Set(operatorRpcs)), stop };
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
export function checksOf(service: ServiceContract, name: string): Check[] {
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
  const isRefused = (sentence: string, run: Check['run']) => checks.push({ sentence, isWaiting: false, run });
  if (contract?.needsOperator)
    isRefused('INTERNAL_ERROR: a call that names no operator', (world) => faulty(world, {}));
  if (service.isPartners)
    isRefused('INTERNAL_ERROR: a call without a partner in its metadata', async (world) => {
      for (const name of ['x-partner-id', 'x-environment']) await faulty(world, world.partner().caller, name);
    });
  return checks;
}

const checksIn = (name: string, { given, sentences }: Pick<RpcContract, 'given' | 'sentences'>): Check[] =>
  Object.entries(sentences).flatMap(([sentence, check]) => {
    if (check === UNREACHABLE) return [];
    const run = (world: World): Promise<void> => holds(world, name, given, sentence, caseOf(check));
    return { sentence, isWaiting: codeOf(sentence) === 'SERVICE_UNAVAILABLE' || isWaiting(check), run };
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
  const arranged = await given(use);
  const {
    who,
    request = {},
    ...more
  } = 'request' in arranged
    ? { ...arranged, who: arranged.who ?? arranged.partner }
    : { who: arranged[0], request: arranged[1], ...(arranged[2] as object) };
  return {
    // Of a call that no partner makes it is the one that was arranged for it.
    get partner(): Party {
      if (who instanceof Party) return who;
      throw new Error(`${rpc} is given a call that no partner makes`);
    },
    ...more,
    who,
    request,
    call: (patch = {}) => who.call(rpc, { ...request, ...patch }),
  };
}
