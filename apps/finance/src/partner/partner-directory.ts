import type { PartnerServiceService } from '@reseller/contracts';
import type { CallContext, RpcClient } from '@reseller/rpc';

/** What a statement says of the partner it is for. */
export interface PartnerDetails {
  readonly globalId: string;
  readonly name: string;
  readonly taxRegistrationNumber: string | undefined;
  readonly billingEmail: string | undefined;
}

/** Looks partners up in identity, which has the newest details of them (docs/adr/0004). */
export class PartnerDirectory {
  constructor(private readonly partners: Pick<RpcClient<typeof PartnerServiceService>, 'getPartner'>) {}

  /** Throws NOT_FOUND_PARTNER, and SERVICE_UNAVAILABLE while identity cannot be reached. */
  async get(partnerId: string, call: CallContext): Promise<PartnerDetails> {
    const { partner } = await this.partners.getPartner({ partnerId }, call);
    if (!partner) throw new Error('identity returned no partner');
    const { globalId, name, taxRegistrationNumber, billingEmail } = partner;
    return { globalId, name, taxRegistrationNumber, billingEmail };
  }
}
