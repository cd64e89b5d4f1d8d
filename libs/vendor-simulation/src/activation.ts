import { createHash } from 'node:crypto';

/** What a customer needs to install an eSIM. */
export interface EsimActivation {
  /** 20 digits, the last of them the Luhn check digit of the rest. */
  readonly iccid: string;
  readonly smdpAddress: string;
  readonly matchingId: string;
  /** `LPA:1$<smdpAddress>$<matchingId>`: what a QR code of the eSIM holds. */
  readonly activationCode: string;
  readonly planDetails: string;
}

/** The activation data of an order: the same key always has the same data, so that a crash cannot change it. */
export function activationFor(idempotencyKey: string, productSku: string | undefined): EsimActivation {
  const digest = createHash('sha256').update(idempotencyKey).digest();
  // 89 telecommunications, 966 Saudi Arabia, 99 the simulated issuer, then the account.
  const account = (digest.readBigUInt64BE(0) % 10n ** 12n).toString().padStart(12, '0');
  const body = `8996699${account}`;
  const smdpAddress = 'smdp.vendor-simulator.test';
  const matchingId = (digest.subarray(8, 16).toString('hex').toUpperCase().match(/.{4}/g) ?? []).join('-');
  return {
    iccid: body + luhnDigit(body),
    smdpAddress,
    matchingId,
    activationCode: `LPA:1$${smdpAddress}$${matchingId}`,
    planDetails: `Plan ${productSku ?? 'of the simulator'}; starts when first connected.`,
  };
}

/** The check digit that makes a string of digits pass the Luhn test. */
export function luhnDigit(digits: string): string {
  let sum = 0;
  for (let i = 0; i < digits.length; i += 1) {
    const digit = Number(digits[digits.length - 1 - i]);
    const doubled = i % 2 === 0 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return String((10 - (sum % 10)) % 10);
}
