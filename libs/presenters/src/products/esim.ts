import { ProductType, type EsimOrder } from '@reseller/contracts';
import { toJsonNumber } from '@reseller/money';
import { presentQrCode } from './qr-code';
import { present } from '../values';
import type { Product } from './product';
import { presentCharge, presentIdentity, presentProgress } from './vendor-order';

/** An eSIM order as partners read it; the esim fields are null until it is Completed (spec §4.8). */
export function presentEsimOrder(message: EsimOrder | undefined) {
  const order = present(message, 'order');
  return {
    ...presentIdentity(order),
    productSku: order.productSku,
    email: order.email,
    dataAllowance: toJsonNumber(order.dataAllowance),
    validityDays: order.validityDays,
    ...presentProgress(order, 'Esim'),
    esimIccid: order.esimIccid ?? null,
    esimQrCode: order.esimQrCode ?? null,
    esimQrCodeImage: presentQrCode(order.esimQrCode),
    esimActivationCode: order.esimActivationCode ?? null,
    esimPlanDetails: order.esimPlanDetails ?? null,
    ...presentCharge(order),
  };
}

/** The product Esim. */
export const esim = {
  name: 'Esim',
  type: ProductType.ESIM,
  isSoldByGeoScope: true,
  presentOrder: presentEsimOrder,
} as const satisfies Product<'esim'>;
