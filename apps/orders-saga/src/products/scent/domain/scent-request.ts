import type { CreateScentOrderRequest, ShippingAddress as AddressMessage } from '@reseller/contracts';
import type { CanonicalRequest } from '../../../order/domain/order';
import type { ShippingAddress } from './scent-order';

/** The body of a create as it is compared with repetitions and kept with the order; named as in the public body. */
export function toScentValues(request: CreateScentOrderRequest): CanonicalRequest {
  const isRegistered = request.partnerIsVatRegistered;
  return {
    shippingAddress: JSON.stringify(toAddress(request.shippingAddress)),
    customerRef: request.customerRef ?? null,
    lockId: request.lockId?.toLowerCase() ?? null,
    // A repetition may spell it otherwise (spec §1.12), and codes are stored in capitals. What is in no code stays: ſ would become S.
    discountCode: request.discountCode?.replaceAll(/[a-z]+/g, (letters) => letters.toUpperCase()) ?? null,
    geoScopeId: request.geoScopeId?.toLowerCase() ?? null,
    sagaId: request.sagaId ?? null,
    partnerTaxRegistrationNumber: request.partnerTaxRegistrationNumber ?? null,
    partnerIsVatRegistered: isRegistered === undefined ? null : String(isRegistered),
  };
}

/** The address that an order's request holds. */
export function addressOf(request: CanonicalRequest): ShippingAddress {
  return JSON.parse(request['shippingAddress'] ?? 'null') as ShippingAddress;
}

// Its fields in one order, so that equal addresses are equal text.
function toAddress(address: AddressMessage | undefined): ShippingAddress {
  return {
    recipient: address?.recipient ?? '',
    line1: address?.line1 ?? '',
    line2: address?.line2 ?? null,
    city: address?.city ?? '',
    region: address?.region ?? null,
    postalCode: address?.postalCode ?? null,
    country: address?.country ?? '',
    phone: address?.phone ?? '',
  };
}
