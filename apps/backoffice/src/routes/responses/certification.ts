import { CERTIFICATION_STEPS, CERTIFIED_PRODUCTS, EVIDENCE_TYPES } from '@reseller/presenters';
import { z } from 'zod';
import { moment } from './fields';

/** What a partner has shown before it goes live, and who let it off the rest (spec §17.6). */
export const certificationResponse = z
  .strictObject({
    partnerId: z.string(),
    status: z.enum(['Certified', 'InProgress']),
    certifiedAt: moment.nullable(),
    isWaived: z.boolean(),
    products: z.array(z.enum(CERTIFIED_PRODUCTS)),
    steps: z.array(
      z.strictObject({
        name: z.enum(CERTIFICATION_STEPS),
        title: z.string(),
        status: z.enum(['Shown', 'Missing']),
        shownAt: moment.nullable(),
        evidence: z
          .strictObject({ type: z.enum(EVIDENCE_TYPES), id: z.string(), requestId: z.string() })
          .nullable(),
        howTo: z.string(),
      }),
    ),
    waivedBy: z.string().nullable(),
    waiveReason: z.string().nullable(),
  })
  .meta({ id: 'Certification' });
