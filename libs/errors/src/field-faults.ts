/** One fault of a request: `path` like "lines.0.quantity", or the parameter's name in a query or path. */
export interface FieldFault {
  path: string;
  message: string;
}

/** How many faults an error lists; one more entry says how many it leaves out (spec §14.1). */
export const MOST_FAULTS = 50;

const LONGEST_PATH = 200;
/** What the list may take of an error response: most characters of a path can be six bytes each. */
const MOST_BYTES = 24 * 1024;

/**
 * The faults as an error lists them, with one more entry where some are left out: those past the first fifty or past 24 KiB,
 * and `leftOut` that were counted and never made (spec §14.1).
 */
export function listFaults(faults: readonly FieldFault[], leftOut = 0): FieldFault[] {
  const entries: FieldFault[] = [];
  let room = MOST_BYTES;
  for (const { path, message } of faults.slice(0, MOST_FAULTS)) {
    const entry = { path: shortPath(path), message };
    room -= Buffer.byteLength(JSON.stringify(entry)) + 1;
    if (room < 0) break;
    entries.push(entry);
  }
  const missing = faults.length - entries.length + leftOut;
  return missing === 0 ? entries : [...entries, remainder(missing)];
}

/** The entry that stands for faults that are not listed. */
const remainder = (count: number): FieldFault => ({
  path: '',
  message: `${count} more ${count === 1 ? 'fault is' : 'faults are'} left out; correct these first`,
});

/** A path of at most 200 characters; a longer one is cut and ends in an ellipsis. */
function shortPath(path: string): string {
  if (path.length <= LONGEST_PATH) return path;
  // Half a surrogate pair is no character.
  return `${path.slice(0, LONGEST_PATH - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}
