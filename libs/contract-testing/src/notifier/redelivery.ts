import { eventually, expect } from '../prelude';
import type { Message, Sentences } from '../prelude';
import { delivered, receiver, subscribed, testFire } from './arrange';

/** The reply to a redelivery, once the delivery is more than a second old. */
export const redelivered = (redeliver: () => Promise<Message>): Promise<Message> =>
  eventually(redeliver, { intervalMs: 100 });

/** What partners and operators rely on alike when they have an event sent again. */
export const redelivers: Sentences<Awaited<ReturnType<typeof delivered>>> = {
  'sends the event again with the same event id, as a new delivery': async (_, { delivery, path, call }) => {
    const again = (await redelivered(call)).delivery as Message;
    const { event_id, event_type } = delivery;
    expect(again).toMatchObject({ event_id, event_type, is_test: false });
    expect(again.id).not.toBe(delivery.id);
    const [first, second] = await receiver.got(path, 2);
    expect(second?.body).toBe(first?.body);
  },
  'CONFLICT_DELIVERY_NOT_FINAL: a pending one': async (use, { partner, call }) =>
    call((await delivered(use, { partner, isRefusing: true })).request),
  'CONFLICT_DELIVERY_NOT_FINAL: a test': async (use, { partner, call }) => {
    const tested = await subscribed(use, { partner });
    return call({ ...tested.request, delivery_id: (await testFire(tested)).id });
  },
  'RATE_LIMITED: a second one within a second': async (_, { call }) => {
    await redelivered(call);
    return Promise.all([1, 2, 3].map(() => call()));
  },
};
