import { WEBHOOK_EVENTS } from './webhook-events';

const PARTNER = '019bc0de-0000-7000-8000-0000000000aa';
const FIRST_EVENT = 10;

/** The section of docs/partners/webhooks.md on each event: what it means, and one as it is sent. */
export function guideSection(): string {
  return WEBHOOK_EVENTS.map(({ name, description, example }, at) => {
    const event = {
      eventId: `019bc0de-0000-7000-8000-${String(FIRST_EVENT + at).padStart(12, '0')}`,
      eventType: name,
      occurredAt: '2026-01-15T10:00:00.123Z',
      data: example(PARTNER).data,
    };
    return `### \`${name}\`\n\n${description}\n\n\`\`\`json\n${JSON.stringify(event, null, 2)}\n\`\`\`\n`;
  }).join('\n');
}
