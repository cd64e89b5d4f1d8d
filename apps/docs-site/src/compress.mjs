import { readFileSync, writeFileSync } from 'node:fs';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

/** What gets smaller; pictures are compressed already. */
const TEXT = /\.(css|html|js|json|jsonl|sh|svg|txt)$/;

/** Too small to gain anything. */
const LEAST_BYTES = 1_000;

/** Writes a file's .br and .gz beside it, once and for all who read it, and says which there are. */
export function compress(file) {
  const bytes = readFileSync(file);
  if (!TEXT.test(file) || bytes.length < LEAST_BYTES) return [];
  // The best takes ten times as long for a twentieth less.
  const params = { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
  writeFileSync(`${file}.br`, brotliCompressSync(bytes, { params }));
  writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }));
  return ['br', 'gzip'];
}
