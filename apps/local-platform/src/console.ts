// Whoever read the output may have gone (npm start | head); the platform goes on without.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);

/** Writes a line for the person who started the platform. */
export function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** Writes a line about something that needs that person. */
export function warn(text: string): void {
  process.stderr.write(`${text}\n`);
}
