import { z } from 'zod';
import { environmentName, moment, pageOfItems } from './fields';

const fields = {
  clientId: z.string(),
  environment: environmentName,
  createdAt: moment,
  expiresAt: moment.nullable(),
  allowedCidrs: z.array(z.string()).nullable().meta({ description: 'Null where any network will do.' }),
};

/** A credential with its secret, which is shown once. */
export const newCredentialResponse = z
  .strictObject({ ...fields, clientSecret: z.string(), partnerId: z.string() })
  .meta({ id: 'NewCredential' });

/** A page of credentials (spec §18.6). */
export const credentialsPage = pageOfItems(
  z
    .strictObject({
      ...fields,
      lastUsedAt: moment.nullable(),
      lastUsedFrom: z.string().nullable(),
      revokedAt: moment.nullable(),
    })
    .meta({ id: 'Credential' }),
);

/** A credential that was revoked. */
export const revokedCredentialResponse = z
  .strictObject({
    clientId: z.string(),
    partnerId: z.string(),
    environment: environmentName,
    revokedAt: moment,
  })
  .meta({ id: 'RevokedCredential' });

/** A page of exchanges of credentials. */
export const signInsPage = pageOfItems(
  z
    .strictObject({
      at: moment,
      clientId: z.string(),
      environment: environmentName,
      onBehalfOf: z.string().nullable(),
      result: z.string().meta({ description: 'Issued, or the code of the refusal.' }),
      from: z.string().nullable(),
      requestId: z.string(),
    })
    .meta({ id: 'SignIn' }),
);
