import type { EsimOrder } from '@reseller/contracts';
import { toJsonNumber } from '@reseller/money';
import { presentQrCode } from './qr-code';
import { present } from './values';
import { presentCharge, presentIdentity, presentProgress } from './vendor-order';

/** An eSIM order as partners read it; the esim fields are null until it is Completed (decisions §4.8). */
export function presentEsimOrder(message: EsimOrder | undefined) {
  const order = present(message, 'order');
  return { ...presentListedEsimOrder(order), esimQrCodeImage: presentQrCode(order.esimQrCode) };
}

/** The same in a list, without the image: a hundred of them would outweigh the rest of the page several times. */
export function presentListedEsimOrder(order: EsimOrder) {
  return {
    ...presentIdentity(order),
    productSku: order.productSku,
    email: order.email,
    dataAllowance: toJsonNumber(order.dataAllowance),
    validityDays: order.validityDays,
    ...presentProgress(order, 'Esim'),
    esimIccid: order.esimIccid ?? null,
    esimQrCode: order.esimQrCode ?? null,
    esimActivationCode: order.esimActivationCode ?? null,
    esimPlanDetails: order.esimPlanDetails ?? null,
    ...presentCharge(order),
  };
}
