import { readFileSync } from 'node:fs';
import path from 'node:path';

/** A row of docs/partners/webhook-signature-vectors.json. */
export interface SignatureVector {
  name: string;
  secrets: string[];
  /** Unix seconds. */
  now: number;
  headers: [string, string][];
  body: string;
  /** "valid", or the reason of the refusal. */
  expect: string;
}

const file = path.join(__dirname, '../../../docs/partners/webhook-signature-vectors.json');

/** The vectors that partners get, as they stand in the docs. */
export const vectors = (JSON.parse(readFileSync(file, 'utf8')) as { vectors: SignatureVector[] }).vectors;
