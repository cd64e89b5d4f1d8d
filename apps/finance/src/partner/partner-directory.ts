import type { Partner, PartnerServiceService } from '@reseller/contracts';
import type { CallContext, RpcClient } from '@reseller/rpc';

/** What a statement says of the partner it is for. */
export interface PartnerDetails {
  readonly globalId: string;
  readonly name: string;
  readonly taxRegistrationNumber: string | undefined;
  readonly billingEmail: string | undefined;
  /** "en" or "ar". */
  readonly language: string;
}

/** Where a partner stands in the hierarchy. */
export interface PartnerPlace {
  /** Ids from the root partner down to this one. */
  readonly path: readonly string[];
  /** Counts the partner's changes, from 1. */
  readonly version: number;
}

/** Looks partners up in identity, which has the newest details of them (docs/adr/0004). */
export class PartnerDirectory {
  constructor(private readonly partners: Pick<RpcClient<typeof PartnerServiceService>, 'getPartner'>) {}

  /** Throws NOT_FOUND_PARTNER, and SERVICE_UNAVAILABLE while identity cannot be reached. */
  async get(partnerId: string, call: CallContext): Promise<PartnerDetails> {
    const partner = await this.find(partnerId, call);
    const { globalId, name, taxRegistrationNumber, billingEmail, language } = partner;
    return { globalId, name, taxRegistrationNumber, billingEmail, language };
  }

  /** Throws as `get` does. */
  async findPlace(partnerId: string, call: CallContext): Promise<PartnerPlace> {
    const { path, version } = await this.find(partnerId, call);
    return { path, version };
  }

  private async find(partnerId: string, call: CallContext): Promise<Partner> {
    const { partner } = await this.partners.getPartner({ partnerId }, call);
    if (!partner) throw new Error('identity returned no partner');
    return partner;
  }
}
