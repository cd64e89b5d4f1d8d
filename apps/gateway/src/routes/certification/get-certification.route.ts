import {
  CERTIFICATION_STEPS,
  CERTIFIED_PRODUCTS,
  EVIDENCE_TYPES,
  presentCertification,
} from '@reseller/presenters';
import { z } from 'zod';
import { moment } from '../../fields/response-fields';
import { defineRoute } from '../route';

const evidence = z
  .strictObject({
    type: z.enum(EVIDENCE_TYPES),
    id: z.string().meta({
      description: 'An orderGlobalId, an X-Request-Id, or the id of the subscription or statement.',
    }),
    requestId: z.string().meta({ description: 'The X-Request-Id of the request that showed it.' }),
  })
  .meta({ id: 'CertificationEvidence' });

const step = z
  .strictObject({
    name: z.enum(CERTIFICATION_STEPS),
    title: z.string(),
    status: z.enum(['Shown', 'Missing']),
    shownAt: moment('Null while it is missing.').nullable(),
    evidence: evidence.nullable().meta({ description: 'Null while it is missing, and for a live token.' }),
    howTo: z.string().meta({ description: 'How to show it.' }),
  })
  .meta({ id: 'CertificationStep' });

/** GET /api/v1/certification */
export const getCertification = defineRoute({
  method: 'GET',
  path: '/api/v1/certification',
  tag: 'Certification',
  summary: 'See what you have shown before you go live',
  description:
    'What your integration has shown in the sandbox, and what is missing. You are certified when every step was shown, and ' +
    'stay so. A step is here a second or two after it was shown; LimitRespected takes some five seconds.',
  response: z
    .strictObject({
      status: z.enum(['InProgress', 'Certified']),
      certifiedAt: moment('Null while in progress.').nullable(),
      isWaived: z.boolean().meta({ description: 'Whether we certified you without all steps.' }),
      products: z
        .array(z.enum(CERTIFIED_PRODUCTS))
        .meta({ description: 'What you sell; tell us if it is less.' }),
      steps: z.array(step),
    })
    .meta({ id: 'Certification' }),
  errors: [],
  examples: {
    response: {
      status: 'InProgress',
      certifiedAt: null,
      isWaived: false,
      products: ['Topup'],
      steps: [
        {
          name: 'TopupOrder',
          title: 'A top-up',
          status: 'Shown',
          shownAt: '2026-01-15T09:30:00.412Z',
          evidence: {
            type: 'Order',
            id: 'TU-01K8QM071DFSARP6HZ9SEPRYWA',
            requestId: '5c1d9e0a-7f0b-4a53-9c66-0d3a1c7be901',
          },
          howTo:
            'POST /api/v1/orders/topup for any number that no outcome is rehearsed with, until the order is Completed.',
        },
        {
          name: 'StatementRead',
          title: 'A statement read',
          status: 'Missing',
          shownAt: null,
          evidence: null,
          howTo: 'POST /api/v1/sandbox/statements, then GET /api/v1/statements/{id}.',
        },
      ],
    },
  },
  async handle({ call, clients }) {
    return presentCertification((await clients.certifications.getCertification({}, call)).certification);
  },
});
