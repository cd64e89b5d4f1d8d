interface LogLine {
  level?: number;
  msg?: string;
  err?: { message?: string };
}

const WARN = 40;

function fromJson(line: string): string | undefined {
  try {
    const { level = 0, msg = '', err } = JSON.parse(line) as LogLine;
    return level > WARN ? [msg, err?.message].filter(Boolean).join(': ') : undefined;
  } catch {
    // Cut off in the middle, or not JSON after all: shown as it is.
    return line;
  }
}

/** What a process's last lines say about its end: errors and plain words, without stack frames. */
export function explainDeath(lines: string[]): string[] {
  return lines
    .filter((line) => !/^\s|^[{}]?\s*$|^Node\.js v/.test(line))
    .map((line) => (line.startsWith('{') ? fromJson(line) : line))
    .filter((line): line is string => Boolean(line))
    .slice(-5);
}
