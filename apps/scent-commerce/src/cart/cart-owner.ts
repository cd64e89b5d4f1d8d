import { partnerScopeOf, RequestCheck, requirePartner, type CallContext } from '@reseller/rpc';
import type { Owner } from '../owner';
import { checkCustomerRef } from './domain/cart-rules';

/** Whose cart: a partner's in one environment, its prices found along the path from the root down to it. */
export interface CartOwner extends Owner {
  /** Counts only for a partner without a profile yet; otherwise the profile's does. */
  path: readonly string[] | undefined;
  customerRef: string | undefined;
}

/** Whose cart a partner's call means; notes a customerRef that is none. */
export function readCartOwner(
  check: RequestCheck,
  call: CallContext,
  customerRef: string | undefined,
): CartOwner {
  const { partnerId, environment } = partnerScopeOf(call);
  const { path } = requirePartner(call);
  return { partnerId, environment, path, customerRef: checkCustomerRef(check, customerRef) };
}

/** The same for a request that has nothing else to check; throws VALIDATION_FAILED. */
export function cartOwnerOf(call: CallContext, customerRef: string | undefined): CartOwner {
  const check = new RequestCheck();
  const owner = readCartOwner(check, call, customerRef);
  check.end();
  return owner;
}
