import { constants, fstatSync, openSync } from 'node:fs';
import { Socket } from 'node:net';
import { destination } from 'pino';

/** Kept for when there is room again, a MiB at the most; what comes after it is lost, and counted. */
const MOST_UNWRITTEN_BYTES = 1024 * 1024;
const AGAIN_MS = 100;
/** How long a process that ends waits for whoever reads its log. */
const LAST_MS = 1_000;

/**
 * A file descriptor as a place for lines, each written before the call returns: a process that ends at once must not lose or
 * reorder those that say why. One that cannot be written, as to a disk that is full or a pipe or socket that nobody reads, ends nobody and holds
 * nobody up: it is written later, and `onLoss` hears afterwards how many could not be kept until then.
 */
export function logOutput(fd: number, onLoss: (lines: number) => void): ReturnType<typeof destination> {
  let waitUntil = 0;
  const output = destination({
    fd: withoutWaiting(fd),
    sync: true,
    // flush() does nothing without a minLength, and no line is shorter than this one.
    minLength: 1,
    maxLength: MOST_UNWRITTEN_BYTES,
    // It would wait for the reader with the whole process.
    retryEAGAIN: () => performance.now() < waitUntil,
  });
  let lost = 0;
  let isFull = false;
  let again: NodeJS.Timeout | undefined;
  const writeLast = (): void => {
    if (!isFull) return;
    waitUntil = performance.now() + LAST_MS;
    output.flush();
  };
  output.once('error', () => process.once('exit', writeLast));
  output.on('error', () => {
    isFull = true;
    // Nobody knows whether there will be a later line.
    again ??= setTimeout(() => {
      again = undefined;
      output.flush();
    }, AGAIN_MS).unref();
  });
  output.on('write', () => (isFull = false));
  output.on('drop', () => {
    lost += 1;
    // A line that is dropped tries nothing by itself.
    output.flush();
  });
  output.on('drain', () => {
    // That of a line before may come as late as this.
    if (isFull || lost === 0) return;
    const lines = lost;
    lost = 0;
    onLoss(lines);
  });
  return output;
}

/**
 * A pipe or socket on which a write does not wait for its reader: it would do so for ever, with all the process does, when that one
 * stands still. A pipe is opened once more for that and the first descriptor left as it is, for others may have it too.
 */
function withoutWaiting(fd: number): number {
  const kind = fstatSync(fd);
  try {
    if (kind.isFIFO()) return openSync(`/proc/self/fd/${fd}`, constants.O_WRONLY | constants.O_NONBLOCK);
  } catch {
    // Another system than Linux, or another user's pipe.
  }
  try {
    // Nor can a socket, as from journald, be opened once more: for all who have it a write waits no longer, as after any use of process.stdout.
    if (kind.isFIFO() || kind.isSocket()) neverClosed.push(new Socket({ fd, readable: false }));
  } catch {
    // A socket of datagrams, which Node.js takes for none of its own.
  }
  return fd;
}

/** By which Node.js has made them so; nothing is written to these. */
const neverClosed: Socket[] = [];
