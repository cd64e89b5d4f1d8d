import { z } from 'zod';
import { Environment } from '@reseller/contracts';
import type { CallPartner } from '@reseller/rpc';

/** The claims the gateway relies on (spec §2.3); gid, the partner's global id, is additive. */
const claimsSchema = z.object({
  sub: z.guid(),
  gid: z.string().min(1),
  client_id: z.string().min(1),
  env: z.enum(['sandbox', 'live']),
  path: z.array(z.guid()).min(1),
  jti: z.string().min(1),
  exp: z.number(),
  act: z.object({ sub: z.guid(), client_id: z.string().min(1) }).optional(),
});

const ENVIRONMENTS = { sandbox: Environment.SANDBOX, live: Environment.LIVE } as const;

/** Who makes a request, by a verified token. */
export interface Caller {
  readonly scope: CallPartner;
  /** The credential whose permits a request uses: a delegated token counts against the parent's (spec §11.2). */
  readonly limitedAs: string;
  /** The key that signed the token. */
  readonly keyId: string | undefined;
  /** When the token ends, epoch ms. */
  readonly expiresAt: number;
}

/** Reads verified claims; throws when one is missing or malformed. */
export function toCaller(payload: unknown, keyId: string | undefined): Caller {
  const claims = claimsSchema.parse(payload);
  return {
    scope: {
      partnerId: claims.sub.toLowerCase(),
      partnerGlobalId: claims.gid,
      path: claims.path,
      environment: ENVIRONMENTS[claims.env],
      clientId: claims.client_id,
      actingPartnerId: claims.act?.sub,
      actingClientId: claims.act?.client_id,
    },
    limitedAs: claims.act?.client_id ?? claims.client_id,
    keyId,
    expiresAt: claims.exp * 1000,
  };
}
