import { readFileSync } from 'node:fs';
import path from 'node:path';
import { runInNewContext } from 'node:vm';
import { createRequire } from 'node:module';
import { describe, expect, it } from '@jest/globals';
import { vectors } from './vectors';

const guide = readFileSync(path.join(__dirname, '../../../docs/partners/webhooks.md'), 'utf8');
const [, snippet = ''] = /^```js\n([^]*?)^```/m.exec(guide) ?? [];
type Verify = (secret: string, headers: Record<string, string>, rawBody: Buffer, nowMs: number) => boolean;
const context = { require: createRequire(__filename), Buffer };
const verify = runInNewContext(`${snippet};verify`, context) as Verify;

describe('the verification for Node.js that the guide shows', () => {
  // The snippet knows one secret, and does not look into the body.
  const rows = vectors.filter(
    ({ secrets, expect: outcome }) => secrets.length === 1 && outcome !== 'malformed-body',
  );
  it.each(rows)('when a request is: $name, then it decides as the vectors say', (vector) => {
    const headers: Record<string, string> = {};
    for (const [name, value] of vector.headers) {
      const key = name.toLowerCase();
      headers[key] = headers[key] === undefined ? value : `${headers[key]}, ${value}`;
    }
    const isTaken = verify(vector.secrets[0] ?? '', headers, Buffer.from(vector.body), vector.now * 1_000);
    expect(isTaken).toBe(vector.expect === 'valid');
  });
});
