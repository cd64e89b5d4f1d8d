import { isAppError } from '@reseller/errors';
import { ConfigError } from './config';
import type { Logger } from './logger';

/** How a command was called, and where its lines go. */
export interface CommandCall {
  args: string[];
  env: Record<string, string | undefined>;
  say: (line: string) => void;
  complain: (line: string) => void;
}

/** Runs a command as this process, which ends with the code that it resolves to. */
export function runCommand(run: (call: CommandCall) => Promise<number>): void {
  void run({
    args: process.argv.slice(2),
    env: process.env,
    say: (line) => void process.stdout.write(`${line}\n`),
    complain: (line) => void process.stderr.write(`${line}\n`),
  }).then((code) => {
    process.exitCode = code;
  });
}

/** Where a command complains, and the name that each line begins with; without one it begins with none. */
interface Reporting extends Pick<CommandCall, 'complain'> {
  readonly name?: string;
}

/** Resolves to the exit code of the work, or complains of what it failed with and resolves to `failedWith`. */
export async function reporting(
  { name, complain }: Reporting,
  work: () => Promise<number>,
  failedWith = 1,
): Promise<number> {
  try {
    return await work();
  } catch (error) {
    for (const line of linesOf(error)) complain(name === undefined ? line : `${name}: ${line}`);
    return failedWith;
  }
}

/** What went wrong, in lines for whoever called the command. */
function linesOf(error: unknown): readonly string[] {
  if (error instanceof ConfigError) return error.lines;
  if (isAppError(error)) return [`${error.code}: ${error.message} ${JSON.stringify(error.details)}`];
  return [error instanceof Error ? withoutCode(error.message) : String(error)];
}

// Prisma shows the code of the call before it says, in the last line, what went wrong.
const withoutCode = (message: string): string =>
  /^\s*Invalid `.+` invocation/.test(message) ? message.slice(message.lastIndexOf('\n') + 1) : message;

/** The option's value, if it is one of those that are allowed; throws a sentence with the option's name. */
export function oneOf<T extends string>(option: string, allowed: readonly T[], value: string): T {
  const found = allowed.find((one) => one === value);
  if (!found) throw new Error(`--${option} must be one of ${allowed.join(', ')}, not ${value}`);
  return found;
}

const ignore = (): void => undefined;

/** A log that nobody reads, for a command that says itself what there is to say. */
export const silentLog: Pick<Logger, 'debug' | 'info' | 'warn' | 'error'> = {
  debug: ignore,
  info: ignore,
  warn: ignore,
  error: ignore,
};
