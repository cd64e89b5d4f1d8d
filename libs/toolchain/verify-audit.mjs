// Verifies the audit's chain (docs/operators/README.md#audit): every entry's hash, that each names the one before it, and that no number is
// missing. Reads the export of a running platform (platform.json, or BACKOFFICE_URL and OPERATOR_TOKEN), or a file of it.
// Exit code 0: all of it holds; 1: it does not, with the id of the first broken entry; 2: it could not be read.
import canonicalize from 'canonicalize';
import { createHash } from 'node:crypto';
import { createReadStream, readFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { parseArgs } from 'node:util';

const USAGE = `npm run verify-audit [-- <file>] [-- --from <moment>] [-- --to <moment>] [-- --head <sequence>:<hash>]...

  <file>   an export as it was fetched, or - for standard input; without it the running platform's is fetched
  --from   entries at or after this moment; the first of them is then taken as it is
  --to     entries before this moment
  --head   an end of the chain that was logged: the entry of this number must have this hash; may be repeated`;
const FIRST_PREVIOUS_HASH = '0'.repeat(64);

/** What is wrong with the chain, and where. */
export class BrokenChain extends Error {}

/** Verifies entries as they come; those of each service are a chain of their own. */
export class ChainCheck {
  counts = new Map();
  #last = new Map();
  #heads = new Map();

  constructor({ isWhole = true, heads = [] } = {}) {
    this.isWhole = isWhole;
    // A chain that was made anew is logged at numbers that the one before it had.
    for (const [sequence, hash] of heads)
      this.#heads.set(sequence, [...(this.#heads.get(sequence) ?? []), hash]);
  }

  /** Throws BrokenChain for the first entry that does not hold. */
  take({ hash, ...entry }) {
    const { id, service, sequence, previousHash } = entry;
    const broken = (why) => new BrokenChain(`${id}: ${why}`);
    const last = this.#last.get(service);
    const expected = last ? last.sequence + 1 : this.isWhole ? 1 : sequence;
    if (sequence !== expected) throw broken(`its sequence is ${sequence} and not ${expected}`);
    const before = last?.hash ?? (sequence === 1 ? FIRST_PREVIOUS_HASH : previousHash);
    if (previousHash !== before) throw broken('it does not follow from the entry before it');
    const own = createHash('sha256').update(canonicalize(entry)).digest('hex');
    if (hash !== own) throw broken('it is not what was recorded: its hash is another');
    const logged = this.#heads.get(sequence) ?? [];
    if (logged.some((one) => one !== hash)) throw broken('the log had another hash at its number');
    this.#heads.delete(sequence);
    this.#last.set(service, { sequence, hash });
    this.counts.set(service, (this.counts.get(service) ?? 0) + 1);
  }

  /** Throws BrokenChain for a logged end that never came: entries were cut off. */
  end() {
    for (const sequence of this.#heads.keys())
      throw new BrokenChain(`the entry of number ${sequence}, which the log has, is not there`);
  }

  /** The last entry of each service, as a line. */
  summary() {
    return [...this.#last].map(
      ([service, { sequence, hash }]) =>
        `${service}: ${this.counts.get(service)} entries up to ${sequence}:${hash}`,
    );
  }
}

function target() {
  const { BACKOFFICE_URL, OPERATOR_TOKEN, PLATFORM_DATA_DIR = '.local' } = process.env;
  if (BACKOFFICE_URL && OPERATOR_TOKEN) return { url: BACKOFFICE_URL, token: OPERATOR_TOKEN };
  const file = path.resolve(PLATFORM_DATA_DIR, 'platform.json');
  try {
    const { backofficeUrl, operatorToken } = JSON.parse(readFileSync(file, 'utf8'));
    return { url: backofficeUrl, token: operatorToken };
  } catch {
    throw new Error(
      `no platform runs here (${file}); start one, name a file, or set BACKOFFICE_URL and OPERATOR_TOKEN`,
    );
  }
}

async function open(file, query) {
  if (file === '-') return process.stdin;
  if (file) return createReadStream(file);
  const { url, token } = target();
  const response = await globalThis.fetch(
    new URL(`/ops/v1/audit/export?${new globalThis.URLSearchParams(query)}`, url),
    {
      headers: { authorization: `Bearer ${token}` },
    },
  );
  if (response.ok) return Readable.fromWeb(response.body);
  throw new Error(`the export was refused: ${response.status} ${await response.text()}`);
}

function entryOf(line) {
  const entry = JSON.parse(line);
  if (typeof entry?.id !== 'string') throw new Error(`this is no entry of an export: ${line.slice(0, 100)}`);
  return entry;
}

function headOf(text) {
  const [, sequence, hash] = /^(\d+):([0-9a-f]{64})$/.exec(text) ?? [];
  if (!hash) throw new Error(`not a head: ${text}\n\n${USAGE}`);
  return [Number(sequence), hash];
}

async function main() {
  const text = { type: 'string' };
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { from: text, to: text, head: { ...text, multiple: true }, help: { type: 'boolean' } },
  });
  if (values.help) {
    console.log(USAGE);
    return 0;
  }
  const { from, to, head = [] } = values;
  const check = new ChainCheck({ isWhole: from === undefined, heads: head.map(headOf) });
  const input = await open(positionals[0], { ...(from && { from }), ...(to && { to }) });
  try {
    for await (const line of createInterface({ input, crlfDelay: Infinity }))
      if (line) check.take(entryOf(line));
    check.end();
  } catch (error) {
    if (!(error instanceof BrokenChain)) throw error;
    console.error(`verify-audit: broken at ${error.message}`);
    return 1;
  }
  if (check.isWhole && check.counts.size === 0) throw new Error('there is no entry');
  for (const line of check.summary()) console.log(line);
  return 0;
}

if (import.meta.filename === process.argv[1]) {
  main().then(
    (code) => (process.exitCode = code),
    (error) => {
      console.error(`verify-audit: ${error.message}`);
      process.exitCode = 2;
    },
  );
}
