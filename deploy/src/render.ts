// Writes the Kubernetes manifests out of apps.ts: `npm run manifests`. They are committed, and a test holds them to it.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Topic } from './kafka-access.ts';
import { renderAll } from './rendered-files.ts';

const kubernetes = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../kubernetes');
const { version } = JSON.parse(readFileSync(path.resolve(kubernetes, '../../package.json'), 'utf8')) as {
  version: string;
};
const topics = JSON.parse(readFileSync(path.resolve(kubernetes, '../kafka/topics.json'), 'utf8')) as Topic[];
for (const [file, text] of Object.entries(renderAll(version, topics))) {
  mkdirSync(path.dirname(path.join(kubernetes, file)), { recursive: true });
  writeFileSync(path.join(kubernetes, file), text);
}
