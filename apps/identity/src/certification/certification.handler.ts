import type {
  CertificationOperationsServiceService,
  CertificationServiceService,
  SightingServiceService,
} from '@reseller/contracts';
import { partnerScopeOf, type RpcHandlers } from '@reseller/rpc';
import type { Pool } from 'pg';
import { requireOperator } from '../audit/operator';
import { stepOf, toCertificationMessage, toOwnCertificationMessage } from './certification.mapper';
import { setCertifiedProducts, waiveCertification, type CertificationDeps } from './decide-certification';
import { getPartnerCertification } from './get-certification';
import { recordGatewaySightings } from './record-sightings';

/** A partner's own certification. */
export const createCertificationHandlers = ({
  certifications,
}: Pick<CertificationDeps, 'certifications'>): RpcHandlers<typeof CertificationServiceService> => ({
  async getCertification(_, call) {
    const { partnerId, environment } = partnerScopeOf(call);
    const record = await certifications.read(partnerId);
    return { certification: toOwnCertificationMessage(record, environment === 'sandbox') };
  },
});

/** What operators see and decide of it. */
export const createCertificationOperationsHandlers = (
  deps: CertificationDeps,
): RpcHandlers<typeof CertificationOperationsServiceService> => ({
  async getPartnerCertification({ partnerId }) {
    return { certification: toCertificationMessage(await getPartnerCertification(deps, partnerId)) };
  },
  async setCertifiedProducts(request, call) {
    const record = await setCertifiedProducts(deps, requireOperator(call), request);
    return { certification: toCertificationMessage(record) };
  },
  async waiveCertification(request, call) {
    const record = await waiveCertification(deps, requireOperator(call), request);
    return { certification: toCertificationMessage(record) };
  },
});

/** What gateways report. */
export const createSightingHandlers = (pool: Pool): RpcHandlers<typeof SightingServiceService> => ({
  async recordSightings(request) {
    const shown = await recordGatewaySightings(pool, request);
    return {
      shown: [...shown].map(([partnerId, steps]) => ({ partnerId, steps: steps.map(stepOf) })),
    };
  },
});
