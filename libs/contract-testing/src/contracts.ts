import type { Contract } from './contract';
import { financeContract } from './finance/contract';
import { identityContract } from './identity/contract';
import { notifierContract } from './notifier/contract';
import { ordersContract } from './orders/contract';
import { scentContract } from './scent/contract';

export { describeContract } from './describe-contract';
export { FOUR_EYES_ABOVE_SAR } from './finance/arrange';
export { financeContract, identityContract, notifierContract, ordersContract, scentContract };

/** The contract of every service, by its name under apps/. */
export const CONTRACTS: Readonly<Record<string, Contract>> = {
  identity: identityContract,
  finance: financeContract,
  'orders-saga': ordersContract,
  'scent-commerce': scentContract,
  notifier: notifierContract,
};
