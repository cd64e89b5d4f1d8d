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
