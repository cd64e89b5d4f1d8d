import { describe, expect, it } from '@jest/globals';
import { aDelivery } from './support/samples';
import { useBackoffice } from './support/backoffice';

const backoffice = useBackoffice();

const find = (q: string) => backoffice.send('GET', `/search?q=${encodeURIComponent(q)}`);

describe('the search (spec §18.7)', () => {
  it('when something is searched for, then partners, orders and deliveries are shown as in their lists', async () => {
    const { body } = await find('  Acme ');
    const items = async (path: string) =>
      ((await backoffice.send('GET', path)).body.payload as { items: unknown[] }).items;
    expect(body.payload).toEqual({
      partners: [expect.objectContaining({ name: 'Acme', commissionRate: 0.125 })],
      orders: await items('/orders'),
      deliveries: await items('/webhook-deliveries'),
    });
    expect((body.payload as { deliveries: unknown }).deliveries).toMatchObject([{ id: aDelivery.id }]);
    const searches = backoffice.calls.filter(({ method }) => method.startsWith('search'));
    expect(searches.map(({ request }) => request)).toEqual(Array(3).fill({ text: 'Acme', limit: 20 }));
  });

  it('when the text is blank, longer than 200 characters or not there, then it is refused at q', async () => {
    for (const path of [
      '/search',
      '/search?q=',
      `/search?q=${'%20'.repeat(3)}`,
      `/search?q=${'x'.repeat(201)}`,
    ]) {
      const { status, body } = await backoffice.send('GET', path);
      expect([path, status, body.state, body.details]).toMatchObject([
        path,
        400,
        'VALIDATION_FAILED',
        { errors: [{ path: 'q' }] },
      ]);
    }
    expect((await find(` ${'x'.repeat(200)} `)).status).toBe(200);
  });

  it('when a + was not escaped, then a phone number is what it was', async () => {
    await backoffice.send('GET', '/search?q=+966500000001');
    expect(backoffice.calls.at(-1)?.request).toMatchObject({ partnerIds: expect.anything() });
    expect(backoffice.calls[0]?.request).toMatchObject({ text: '+966500000001' });
  });

  it('when one service is away, then the search is an error and no gap', async () => {
    backoffice.fakes.of('notifier').fail('searchWebhookDeliveries', 'SERVICE_UNAVAILABLE');
    expect(await find('Acme')).toMatchObject({ status: 503, body: { state: 'SERVICE_UNAVAILABLE' } });
  });
});
