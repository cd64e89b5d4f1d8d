import { readFileSync } from 'node:fs';
import path from 'node:path';

const guide = path.join(__dirname, '../../../docs/partners/webhooks.md');

/** The example events of docs/partners/webhooks.md, by event type: the JSON under a heading that names one. */
export function docExamples(): Record<string, unknown> {
  const text = readFileSync(guide, 'utf8');
  const blocks = text.matchAll(/^### `([a-z.-]+)`\n(?:(?!^#)[^])*?^```json\n([^]*?)^```/gm);
  return Object.fromEntries([...blocks].map(([, type, json]) => [type, JSON.parse(String(json))]));
}
