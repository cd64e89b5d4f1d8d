import { expect } from '@jest/globals';
import { eventually } from '@reseller/testing';
import { v7 as uuidv7 } from 'uuid';
import {
  operatorRpc,
  rpc,
  service,
  UNREACHABLE,
  type Message,
  type ServiceContract,
  type Use,
} from '../contract';
import { UNKNOWN } from '../variations';
import type { World } from '../world';

/** No message of any type. */
const UNDECODABLE = Buffer.from([0xff, 0xff]);
const WAITING = 'DEAD_LETTER_STATE_WAITING';

/** The dead letters of an app, as each that consumes events serves them; an event of that type is made one. */
export function deadLetters(topic: string, type: string): ServiceContract {
  const deadLetter = async (world: World): Promise<Message> => {
    const eventId = await world.publishBytes(topic, type, `test ${uuidv7()}`, UNDECODABLE);
    return eventually(
      async () => {
        const listed = await world.call('ListDeadLetters', { limit: 100 });
        const found = (listed.dead_letters as Message[]).find(({ event_id }) => event_id === eventId);
        if (!found) throw new Error(`event ${eventId} is no dead letter`);
        return found;
      },
      { timeoutMs: 30_000 },
    );
  };
  const one = async (world: World) => [world, { dead_letter_id: (await deadLetter(world)).id }] as const;
  const dismissing = async (world: World) => [world, { ...(await one(world))[1], notes: 'a test' }] as const;
  const get = (use: Use, letter: Message) => use.call('GetDeadLetter', { dead_letter_id: letter.id });
  return service('DeadLetterService', {
    ListDeadLetters: rpc(undefined, {
      'lists newest first and keeps to a state and a reason': async (use) => {
        const older = await deadLetter(use);
        const newer = await deadLetter(use);
        const filter = { state: WAITING, reason: 'DEAD_LETTER_REASON_UNDECODABLE' };
        expect(await use.list(use.rpc, { ...filter, limit: 2 })).toEqual([newer, older]);
        expect(await use.list(use.rpc, { ...filter, offset: 1, limit: 1 })).toEqual([older]);
        const state = 'DEAD_LETTER_STATE_REDRIVEN';
        expect(await use.list(use.rpc, { state, limit: 100 })).toEqual([]);
      },
    }),
    GetDeadLetter: rpc(one, {
      'shows the event byte for byte, what is wrong with it, and that nobody has decided': async (use) => {
        const { dead_letter } = await get(use, await deadLetter(use));
        expect(dead_letter).toMatchObject({
          ...{ topic, type, state: WAITING },
          payload_base64: UNDECODABLE.toString('base64'),
        });
      },
      'NOT_FOUND_DEAD_LETTER: an unknown id': { dead_letter_id: UNKNOWN },
      'NOT_FOUND_DEAD_LETTER: an id that is none': { dead_letter_id: 'one' },
    }),
    RedriveDeadLetter: operatorRpc(one, {
      'leaves one waiting that is still wrong, and counts the attempt': async (use) => {
        const letter = await deadLetter(use);
        const { dead_letter } = await use.call(use.rpc, { dead_letter_id: letter.id });
        expect(dead_letter).toMatchObject({ state: WAITING, attempts: Number(letter.attempts) + 1 });
      },
      'hands the event to its consumer, once, and marks it': UNREACHABLE,
      'NOT_FOUND_DEAD_LETTER: an unknown id': { dead_letter_id: UNKNOWN },
      'CONFLICT_DEAD_LETTER_DECIDED: one that was dismissed': async (use) => {
        const [, request] = await dismissing(use);
        await use.call('DismissDeadLetter', request);
        return use.call(use.rpc, { dead_letter_id: request.dead_letter_id });
      },
    }),
    RedriveDeadLetters: operatorRpc((world) => [world, { reason: 'DEAD_LETTER_REASON_UNDECODABLE' }], {
      'tries all of a reason, and says how many are redriven and how many are still wrong': async (use) => {
        await deadLetter(use);
        const run = await (await use.given()).call();
        expect(run).toMatchObject({ redriven: 0, is_complete: true });
        expect(Number(run.failed)).toBeGreaterThan(0);
      },
      'VALIDATION_FAILED: no reason': { reason: 'DEAD_LETTER_REASON_UNSPECIFIED' },
    }),
    DismissDeadLetter: operatorRpc(dismissing, {
      'records who decided and why; again it changes nothing': async (use) => {
        const { call } = await use.given();
        const { dead_letter } = await call();
        expect(dead_letter).toMatchObject({
          state: 'DEAD_LETTER_STATE_DISMISSED',
          decided_by: 'Olga',
          notes: 'a test',
        });
        expect(await call({ notes: 'other words' })).toEqual({ dead_letter });
      },
      'VALIDATION_FAILED: no notes': { notes: ' ' },
      'VALIDATION_FAILED: notes of 501 characters': { notes: 'x'.repeat(501) },
      'NOT_FOUND_DEAD_LETTER: an unknown id': { dead_letter_id: UNKNOWN },
      'CONFLICT_DEAD_LETTER_DECIDED: one that was redriven': UNREACHABLE,
    }),
  });
}
