import type { EsimOrder } from '@reseller/contracts';
import type { Order } from '../../order/domain/order';
import { toVendorOrderMessage } from '../vendor-order/vendor-order.mapper';
import { esimDetailsOf } from './domain/esim-details';

/** An eSIM order with every field a partner may see. */
export function toEsimOrder(order: Order): EsimOrder {
  const { productSku, email, dataAllowance, validityDays, activation } = esimDetailsOf(order);
  return {
    ...toVendorOrderMessage(order),
    productSku,
    email,
    dataAllowance,
    validityDays,
    esimIccid: activation?.iccid ?? undefined,
    esimQrCode: activation?.qrCode ?? undefined,
    esimActivationCode: activation?.activationCode ?? undefined,
    esimPlanDetails: activation?.planDetails ?? undefined,
  };
}
