import { z } from 'zod';

/** What can be allowed to go, or to come, without TLS in production. */
const USES = ['rpc', 'vendors', 'smtp', 'kafka', 'console', 'archive'] as const;

/** A way that something leaves the process by, or comes in. */
export type PlaintextUse = (typeof USES)[number];

const isUse = (text: string): text is PlaintextUse => USES.some((use) => use === text);
const split = (text: string): string[] => text.split(',').map((one) => one.trim());

/** What may go in plain text in production; nothing, unless it is named. */
export const plaintextConfig = {
  PLAINTEXT_ALLOWED: z
    .string()
    .refine((text) => split(text).every(isUse))
    .transform((text): PlaintextUse[] => split(text).filter(isUse))
    .describe(`what may go in plain text in production, comma separated: ${USES.join(', ')}`)
    .default([]),
};

/** Whether so much may go in plain text: outside production all of it, there what PLAINTEXT_ALLOWED names. */
export function mayBePlaintext(
  { NODE_ENV, PLAINTEXT_ALLOWED }: { NODE_ENV: string; PLAINTEXT_ALLOWED: readonly PlaintextUse[] },
  use: PlaintextUse,
): boolean {
  return NODE_ENV !== 'production' || PLAINTEXT_ALLOWED.includes(use);
}
