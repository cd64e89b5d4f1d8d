import { spawn, spawnSync } from 'node:child_process';

/** What a program came to, with all that it printed. */
export interface Outcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly output: string;
}

/** A program and what it is called with. */
export interface Command {
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** The last lines of what a program printed, for who looks for the cause. */
export const lastLines = ({ output }: Outcome): string[] => output.trim().split('\n').slice(-15);

/** Runs a program to its end; the signal ends it earlier, and then rejects. */
export function run({ program, args, cwd, env }: Command, signal: AbortSignal): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      cwd,
      signal,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, ...env },
    });
    let [stdout, output] = ['', ''];
    child.stdout.on('data', (chunk: Buffer) => {
      stdout += chunk.toString();
      output += chunk.toString();
    });
    child.stderr.on('data', (chunk: Buffer) => void (output += chunk.toString()));
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, stdout, output }));
  });
}

/** How to find out whether each tool is there. */
const TOOLS = {
  java: ['java', '-version'],
  javac: ['javac', '-version'],
  mvn: ['mvn', '--version'],
  go: ['go', 'version'],
  // Debian has Python without what makes a venv.
  python3: ['python3', '-c', 'import ensurepip, venv'],
  dotnet: ['dotnet', '--version'],
  php: ['php', '--version'],
} as const;

/** A tool of the machine that some clients need. */
export type Tool = keyof typeof TOOLS;

const found = new Map<Tool, boolean>();

/** Those of the tools that this machine has not. */
export const missingTools = (tools: readonly Tool[]): Tool[] => tools.filter((tool) => !hasTool(tool));

function hasTool(tool: Tool): boolean {
  const [program, ...args] = TOOLS[tool];
  const isThere = found.get(tool) ?? spawnSync(program, args, { stdio: 'ignore' }).status === 0;
  found.set(tool, isThere);
  return isThere;
}
