import { describe, expect, it } from '@jest/globals';
import { operationKey, requestHash, type MoneyOperation } from './wallet-operation';

const credit: MoneyOperation = { kind: 'credit', idempotencyKey: 'k', amount: '10.00', notes: 'n' };
const wallet = { partnerId: 'p', environment: 'live' } as const;

describe('the identity of an operation', () => {
  it('when a credit and an adjustment carry the same key, then they share it and still differ', () => {
    const adjust: MoneyOperation = { ...credit, kind: 'adjust' };
    expect(operationKey(wallet, adjust)).toBe(operationKey(wallet, credit));
    expect(requestHash(adjust)).not.toBe(requestHash(credit));
  });

  it('when any value differs, then the hash does; when only the order of fields does, then it does not', () => {
    expect(requestHash({ ...credit, notes: 'other' })).not.toBe(requestHash(credit));
    expect(requestHash({ ...credit, amount: '10.01' })).not.toBe(requestHash(credit));
    const { kind, ...values } = credit;
    expect(requestHash({ ...values, kind })).toBe(requestHash(credit));
  });

  it('when two wallets use one idempotency key, then each has its own operation', () => {
    expect(operationKey({ ...wallet, environment: 'sandbox' }, credit)).not.toBe(
      operationKey(wallet, credit),
    );
  });
});
