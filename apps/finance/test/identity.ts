import { heldToContract } from '@reseller/contract-testing';
import { PartnerServiceService, type Partner } from '@reseller/contracts';
import { AppError } from '@reseller/errors';
import { defineRpc, RpcServer } from '@reseller/rpc';

/** identity as finance sees it: partners by id, which a test may change while it runs. */
export interface FakeIdentity {
  address: string;
  partners: Map<string, Partner>;
  stop(): Promise<void>;
}

const silent = { debug: () => undefined, warn: () => undefined, error: () => undefined };

/** A partner as identity has it. */
export function identityPartner(id: string, more: Partial<Partner> = {}): Partner {
  return {
    id,
    globalId: `PRT-${id.slice(-12)}`,
    name: 'Acme',
    path: [id],
    isActive: true,
    isVatRegistered: true,
    marketingEnabled: false,
    version: 1,
    createdAt: new Date(),
    ...more,
  };
}

/** Starts a gRPC identity that knows the partners in its map. */
export async function startIdentity(): Promise<FakeIdentity> {
  const partners = new Map<string, Partner>();
  const refuse = () => Promise.reject(new AppError('INTERNAL_ERROR'));
  const service = defineRpc(PartnerServiceService, {
    createPartner: refuse,
    updatePartner: refuse,
    listPartners: refuse,
    createCredential: refuse,
    revokeCredential: refuse,
    getPartner: async ({ partnerId }) => {
      const partner = partners.get(partnerId);
      if (!partner) throw new AppError('NOT_FOUND_PARTNER');
      return Promise.resolve({ partner });
    },
  });
  const server = new RpcServer({ services: [heldToContract(service, 'identity')], log: silent });
  const port = await server.listen('127.0.0.1', 0);
  server.setServing(true);
  return { address: `127.0.0.1:${port}`, partners, stop: () => server.drain(0) };
}
