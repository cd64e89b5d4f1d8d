import { activationFor, type EsimActivation } from './activation';

/** What a delivery hands over, by the fields of the vendor contract. */
export interface SimulatedDelivery {
  /** Of an eSIM that succeeded or whose outcome is unknown. */
  readonly activation?: EsimActivation;
}

/** One product as the simulated vendor sells it. */
interface SimulatedProduct {
  /** The field of the request that says whom it is for, and so which outcome it rehearses. */
  readonly recipient: 'phoneNumber' | 'email';
  /** The request names what is bought, by its productSku. */
  readonly hasSku?: true;
  /** What is handed over with it, and in which field; always the same for the same key. */
  readonly handsOver?: {
    readonly field: keyof SimulatedDelivery;
    readonly valueFor: (idempotencyKey: string, productSku: string | undefined) => unknown;
  };
}

const PRODUCTS = {
  Topup: { recipient: 'phoneNumber' },
  Esim: { recipient: 'email', hasSku: true, handsOver: { field: 'activation', valueFor: activationFor } },
} as const satisfies Record<string, SimulatedProduct>;

/** The name of a product that the simulated vendor sells. */
export type SimulatedProductName = keyof typeof PRODUCTS;

/** Everything the simulated vendor sells; a new product is a line above. */
export const SIMULATED_PRODUCTS: Readonly<Record<SimulatedProductName, SimulatedProduct>> = PRODUCTS;
