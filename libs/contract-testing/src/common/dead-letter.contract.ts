import { eventually, expect, lists, operatorRpc, reads, replies } from '../prelude';
import { service, UNREACHABLE, uuidv7 } from '../prelude';
import type { Message, ServiceContract, World } from '../prelude';

/** No message of any type. */
const UNDECODABLE = Buffer.from([0xff, 0xff]);
const WAITING = 'DEAD_LETTER_STATE_WAITING';
const WRONG = { reason: 'DEAD_LETTER_REASON_UNDECODABLE' };

/** Publishes an event of that type and key that nobody can read; returns its dead letter once it is one. */
export async function deadLettered(world: World, topic: string, type: string, key: string): Promise<Message> {
  const eventId = await world.publishBytes(topic, type, key, UNDECODABLE);
  return eventually(async () => {
    const listed = await world.list('ListDeadLetters', { limit: 100 });
    const one = listed.find(({ event_id }) => event_id === eventId);
    return one ?? Promise.reject(new Error(`event ${eventId} is no dead letter`));
  });
}

/** The dead letters of an app, as each that consumes events serves them; an event of that type is made one. */
export function deadLetters(topic: string, type: string): ServiceContract {
  const deadLetter = (world: World): Promise<Message> => deadLettered(world, topic, type, `test ${uuidv7()}`);
  const one = async (world: World) =>
    [world, { dead_letter_id: (await deadLetter(world)).id, notes: 'a test' }] as const;
  return service('DeadLetterService', {
    ListDeadLetters: lists(async (world) => [world, [await deadLetter(world), await deadLetter(world)]]),
    GetDeadLetter: reads(async (world) => [world, await deadLetter(world)], {
      'shows the event byte for byte, what is wrong, and that nobody has decided': replies({
        dead_letter: {
          topic,
          type,
          state: WAITING,
          ...WRONG,
          payload_base64: UNDECODABLE.toString('base64'),
        },
      }),
    }),
    RedriveDeadLetter: operatorRpc(one, {
      'leaves one waiting that is still wrong, and counts the attempt': async (use) => {
        const { id, attempts } = await deadLetter(use);
        const { dead_letter } = await use.call(use.rpc, { dead_letter_id: id });
        expect(dead_letter).toMatchObject({ state: WAITING, attempts: Number(attempts) + 1 });
      },
      'hands the event to its consumer, once, and marks it': UNREACHABLE,
      'CONFLICT_DEAD_LETTER_DECIDED: one that was dismissed': ['DismissDeadLetter', {}],
    }),
    RedriveDeadLetters: operatorRpc((world) => [world, WRONG], {
      'tries all of a reason, and says how many are redriven and how many are still wrong': async (use) => {
        await deadLetter(use);
        const run = await use.call(use.rpc, WRONG);
        expect(run).toMatchObject({ redriven: 0, is_complete: true });
        expect(Number(run.failed)).toBeGreaterThan(0);
      },
    }),
    DismissDeadLetter: operatorRpc(one, {
      'records who decided and why; again it changes nothing': async (_, { call }) => {
        const { dead_letter } = await call();
        const state = 'DEAD_LETTER_STATE_DISMISSED';
        expect(dead_letter).toMatchObject({ state, decided_by: 'Olga', notes: 'a test' });
        expect(await call({ notes: 'other words' })).toEqual({ dead_letter });
      },
      'CONFLICT_DEAD_LETTER_DECIDED: one that was redriven': UNREACHABLE,
    }),
  });
}
