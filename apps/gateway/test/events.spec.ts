import { describe, expect, it } from '@jest/globals';
import { AppError, validationFailed } from '@reseller/errors';
import { expectFaults, useGateway } from './support/gateway';
import { somePublicEvent } from './support/samples';

const gateway = useGateway();

const get = (path: string) => gateway.sendAs(gateway.token, `/api/v1/events${path}`);
const item = JSON.parse(somePublicEvent.body) as object;

describe('the events feed', () => {
  it('when a page is read, then each item is the envelope that webhooks send, and the service got cursor, types and limit (spec §16.1)', async () => {
    const response = await get('?after=abc&eventType=order.completed,order.failed&limit=7');
    expect([response.status, response.body.payload]).toEqual([
      200,
      { items: [item], nextCursor: 'next', hasMore: true },
    ]);
    const request = { after: 'abc', eventTypes: ['order.completed', 'order.failed'], limit: 7 };
    expect(gateway.dependencies.seen.calls).toMatchObject([{ method: 'listEvents', request }]);
    await get('');
    const byDefault = { after: '', eventTypes: [], limit: 20 };
    expect(gateway.dependencies.seen.calls[1]).toMatchObject({ request: byDefault });
  });

  it('when a limit or a type is wrong, then it is named; and what the service says of a cursor reaches the caller', async () => {
    expectFaults(await get('?limit=0'), ['limit']);
    expectFaults(await get('?after=abc&limit=0'), ['after', 'limit']);
    expectFaults(await get('?after=AQAGSHJ_3tZAo2Vt0mKXz9cL&limit=0'), ['limit']);
    expectFaults(await get('?after='), ['after']);
    expectFaults(await get('?after=&wait=30'), ['after', 'wait']);
    expectFaults(await get('?limit=101&eventType=order.completed,order.lost'), ['eventType', 'limit']);
    expectFaults(await get('?eventType='), ['eventType']);
    const { events } = gateway.dependencies;
    const { listEvents } = events;
    events.listEvents = () =>
      Promise.reject(validationFailed([{ path: 'after', message: 'must be a cursor' }]));
    expectFaults(await get('?after=x'), ['after']);
    events.listEvents = () => Promise.reject(new AppError('VALIDATION_CURSOR_EXPIRED'));
    const expired = await get('?after=x');
    expect([expired.status, expired.body.state]).toEqual([400, 'VALIDATION_CURSOR_EXPIRED']);
    events.listEvents = listEvents;
  });

  it('when one event is read, then it is the same envelope; one that does not exist is 404 (spec §16.3)', async () => {
    const found = await get(`/${somePublicEvent.eventId}`);
    expect([found.status, found.body.payload]).toEqual([200, item]);
    const { events } = gateway.dependencies;
    events.getEvent = () => Promise.reject(new AppError('NOT_FOUND_EVENT'));
    expect((await get(`/${somePublicEvent.eventId}`)).body.state).toBe('NOT_FOUND_EVENT');
    expectFaults(await get('/x'), ['eventId']);
  });
});
