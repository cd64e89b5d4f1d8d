import type { DescFile, DescMessage } from '@bufbuild/protobuf';
import { FILES } from './schema';

const FILE_COMMENT = /^Topic (reseller\.[a-z]+\.[a-z]+\.v\d+), keyed by ([^.]+)\./;

/** The topic that a file of events is about, its key, and all that its comment says. Throws when it names none. */
export function topicOf(file: DescFile): { topic: string; key: string; comment: string } {
  const { proto } = file;
  const detached = proto.sourceCodeInfo?.location.flatMap((one) => one.leadingDetachedComments) ?? [];
  const comment = detached.map((one) => one.replace(/^ /gm, '').trim()).find((one) => FILE_COMMENT.test(one));
  const [, topic, key] = FILE_COMMENT.exec(comment ?? '') ?? [];
  if (!comment || !topic || !key)
    throw new Error(`${file.name}: no comment of the file says "Topic reseller.x.y.v1, keyed by …."`);
  return { topic, key, comment };
}

/** The files that declare events, by name. */
export const EVENT_FILES: ReadonlySet<string> = new Set(
  FILES.map(({ name }) => name).filter((name) => name.endsWith('_events')),
);

/** Every event: the messages of those files that no other of them is made of. */
export const EVENTS: readonly { type: DescMessage; topic: string }[] = FILES.filter((file) =>
  EVENT_FILES.has(file.name),
).flatMap((file) => {
  const parts = new Set(file.messages.flatMap(({ fields }) => fields.map((field) => field.message)));
  return file.messages
    .filter((message) => !parts.has(message))
    .map((type) => ({ type, topic: topicOf(file).topic }));
});
