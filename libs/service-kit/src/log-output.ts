import { destination } from 'pino';

/** Kept for when there is room again, a MiB at the most; what comes after it is lost, and counted. */
const MOST_UNWRITTEN_BYTES = 1024 * 1024;

/**
 * A file descriptor as a place for lines, each written before the call returns: a process that ends at once must not lose or
 * reorder those that say why. One that cannot be written, as to a disk that is full, ends nobody: it is written with a later line,
 * and `onLoss` hears afterwards how many could not be kept until then.
 */
export function logOutput(fd: number, onLoss: (lines: number) => void): ReturnType<typeof destination> {
  // flush() does nothing without a minLength, and no line is shorter than this one.
  const output = destination({ fd, sync: true, minLength: 1, maxLength: MOST_UNWRITTEN_BYTES });
  let lost = 0;
  let isFull = false;
  output.on('error', () => (isFull = true));
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
