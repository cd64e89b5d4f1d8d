import { CERTIFIED_PRODUCTS, certifiedProductsOf, presentPartnerCertification } from '@reseller/presenters';
import { z } from 'zod';
import { EXAMPLE_ID, printable, uuid } from './fields';
import { certificationResponse } from './responses/certification';
import { defineRoute, type OpsRoute } from './route';

const params = z.object({ id: uuid });

const getCertification = defineRoute({
  method: 'GET',
  path: '/ops/v1/partners/{id}/certification',
  role: 'viewer',
  summary: 'What a partner has shown in the sandbox before it goes live, by what, and what is missing',
  params,
  response: certificationResponse,
  examples: { params: { id: EXAMPLE_ID } },
  async handle({ params: { id }, call, clients }) {
    const { certification } = await clients.certifications.getPartnerCertification({ partnerId: id }, call);
    return presentPartnerCertification(certification);
  },
});

const setProducts = defineRoute({
  method: 'PUT',
  path: '/ops/v1/partners/{id}/certification/products',
  role: 'partners',
  summary: 'Say what a partner sells, and so of which products it has to show an order; all three until then',
  params,
  body: z.strictObject({
    products: z
      .array(z.enum(CERTIFIED_PRODUCTS))
      .max(CERTIFIED_PRODUCTS.length, 'must name each product once')
      .min(1, 'must be at least one product')
      .refine((products) => new Set(products).size === products.length, 'must name each product once')
      .meta({ uniqueItems: true }),
  }),
  response: certificationResponse,
  examples: { params: { id: EXAMPLE_ID }, body: { products: ['Topup', 'Esim'] } },
  async handle({ params: { id }, body, call, clients }) {
    const request = { partnerId: id, products: certifiedProductsOf(body.products) };
    return presentPartnerCertification(
      (await clients.certifications.setCertifiedProducts(request, call)).certification,
    );
  },
});

const waive = defineRoute({
  method: 'POST',
  path: '/ops/v1/partners/{id}/certification/waive',
  role: 'partners',
  summary: 'Certify a partner without the steps that are missing; one that is certified stays as it is',
  params,
  body: z.strictObject({ reason: printable(500) }),
  response: certificationResponse,
  examples: { params: { id: EXAMPLE_ID }, body: { reason: 'Certified on the old platform, ticket 4711.' } },
  async handle({ params: { id }, body: { reason }, call, clients }) {
    const request = { partnerId: id, reason };
    return presentPartnerCertification(
      (await clients.certifications.waiveCertification(request, call)).certification,
    );
  },
});

/** What partners have shown before they go live (spec §17.6); identity audits changes. */
export const certificationRoutes: readonly OpsRoute[] = [getCertification, setProducts, waive];
