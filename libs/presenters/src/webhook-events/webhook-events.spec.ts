import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { guideSection } from './guide-section';
import { WEBHOOK_EVENTS } from './webhook-events';

const PARTNER = '019a2f3c-5b7e-7c41-9a6d-0d5f2f6b8a10';
const GUIDE = path.resolve(__dirname, '../../../../docs/partners/webhooks.md');
/** From the first event's heading to the next chapter. */
const SECTION = /^### `[^]*?(?=^## )/m;

describe('the declarations of public events', () => {
  it.each(WEBHOOK_EVENTS)(
    'when $name is shown or test-fired, then its example has the form of its data',
    (event) => {
      const { data, partnerId, environment } = event.example(PARTNER);
      expect([partnerId, environment]).toEqual([PARTNER, 'sandbox']);
      expect(data).toMatchObject({ partnerId: PARTNER });
      expect(event.schema.parse(data)).toEqual(data);
    },
  );

  it.each(WEBHOOK_EVENTS)(
    'when a domain event of $name is read, then it says what the example says',
    (event) => {
      for (const source of event.sources)
        expect(event.present(source, event.examplePayload(source, PARTNER))).toEqual(event.example(PARTNER));
    },
  );

  it('when events are distinguished, then no name, type or domain event stands for two', () => {
    for (const values of [
      WEBHOOK_EVENTS.map(({ name }) => name),
      WEBHOOK_EVENTS.map(({ type }) => type),
      WEBHOOK_EVENTS.flatMap(({ sources }) => sources),
    ])
      expect(new Set<string>(values).size).toBe(values.length);
  });

  it('when partners read the guide, then it shows each event as it is declared (npm run event-guide writes it)', () => {
    const guide = readFileSync(GUIDE, 'utf8');
    const expected = guide.replace(SECTION, () => `${guideSection()}\n`);
    if (process.env['WRITE_EVENT_GUIDE']) writeFileSync(GUIDE, expected);
    else expect(guide).toBe(expected);
  });
});
