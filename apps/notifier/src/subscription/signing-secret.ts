import { randomBytes } from 'node:crypto';

/** A new signing secret: `whsec_` and 32 random bytes in base64url; the HMAC key exactly as it stands. */
export const newSecret = (): string => `whsec_${randomBytes(32).toString('base64url')}`;
