import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';

const root = path.resolve(__dirname, '../../..');

interface Topic {
  topic: string;
  writtenBy: string;
  readBy: string[];
}

/** Where an app names topics beside its own folders: partners' is named for all, and notifier reads those of the public events. */
const PARTNER_EVENTS = ['libs/messaging/src'];
const NAMED_ELSEWHERE: Readonly<Record<string, string[]>> = {
  identity: PARTNER_EVENTS,
  finance: PARTNER_EVENTS,
  'scent-commerce': PARTNER_EVENTS,
  notifier: [...PARTNER_EVENTS, 'libs/presenters/src/webhook-events'],
};

/** The names of topics, and of groups, in an app's code. */
function namesIn(app: string): { topics: Set<string>; text: string } {
  const text = [`apps/${app}/src`, ...(NAMED_ELSEWHERE[app] ?? [])]
    .flatMap((folder) => {
      const directory = path.join(root, folder);
      return readdirSync(directory, { recursive: true, encoding: 'utf8' })
        .filter((file) => /(?<!\.spec)\.ts$/.test(file) && !file.includes('generated'))
        .map((file) => readFileSync(path.join(directory, file), 'utf8'));
    })
    .join('\n');
  return { text, topics: new Set(text.match(/(?<=')reseller\.[a-z-]+\.[a-z-]+\.v\d+(?=')/g)) };
}

describe('deploy/kafka/topics.json', () => {
  const listed = JSON.parse(readFileSync(path.join(root, 'deploy/kafka/topics.json'), 'utf8')) as Topic[];
  const apps = ['identity', 'finance', 'orders-saga', 'scent-commerce', 'notifier'].map((app) => ({
    app,
    ...namesIn(app),
  }));

  it('when a service names a topic, then the topic is listed, and nothing else is', () => {
    const named = new Set(apps.flatMap(({ topics }) => [...topics]));
    expect(listed.map(({ topic }) => topic).sort()).toEqual([...named].sort());
  });

  it('when a topic is listed as written or read by a service, then that service names it', () => {
    for (const { topic, writtenBy, readBy } of listed) {
      expect(apps.find(({ app }) => app === writtenBy)?.topics).toContain(topic);
      for (const group of readBy) {
        const reader = apps.find(({ app }) => group.startsWith(`${app}.`));
        expect(reader?.topics).toContain(topic);
        expect(reader?.text).toContain(`'${group}'`);
      }
    }
  });
});
