import { expect } from '@jest/globals';
import type { PartnerClient } from './partner-client';
import type { SendOptions } from './response';

/** What a request is refused with; `fields` are the paths of its faults, where they matter. */
export interface Refused {
  readonly status: number;
  readonly code: string;
  readonly fields?: readonly string[];
}

/** A request that is refused: what is wrong with it, its path, itself, and the refusal. */
export type Refusal = readonly [what: string, path: string, request: SendOptions, refused: Refused];

/** A refusal by its status and code. */
export const refused = (status: number, code: string): Refused => ({ status, code });

/** A refusal for faults in these fields, and no others. */
export const faults = (...fields: string[]): Refused => ({ status: 400, code: 'VALIDATION_FAILED', fields });

/** Fails unless the request is refused as it should be, in an envelope that shows nothing of the inside. */
export async function expectRefused(
  client: PartnerClient,
  [, path, request, { status, code, fields }]: Refusal,
): Promise<void> {
  const response = await client.call(path, request);
  expect([response.status, response.state]).toEqual([status, code]);
  expect(response.payload).toBeNull();
  expect(response.details).toMatchObject({
    message: expect.any(String),
    requestId: response.headers.get('x-request-id'),
  });
  if (fields) expect((response.details.errors ?? []).map((fault) => fault.path).sort()).toEqual(fields);
  expect(response.text).not.toMatch(/ at .*\.(js|ts):\d+|node_modules|SELECT |INSERT |ECONN|127\.0\.0\.1/);
  expect(response.headers.get('content-type')).toMatch(/^application\/json/);
}
