import type { Patience } from '@reseller/database';
import type { Ledger } from '../ledger/create-ledger';
import { resultOf } from '../ledger/domain/refusal-error';
import type { OperationResult, WalletOperation, WalletRef } from '../ledger/domain/wallet-operation';

type Values<Kind extends WalletOperation['kind']> = Omit<Extract<WalletOperation, { kind: Kind }>, 'kind'>;

/** The wallet's line that a capture or refund posted. */
export interface PostedLine {
  transactionId: string;
  balanceAfter: string;
}

/** What a reserve leaves, and the rate of its moment. */
export interface Reserved {
  availableBalance: string;
  displayRate: OperationResult['displayRate'];
}

/**
 * Sets an amount aside and returns what is left to spend. Throws NOT_FOUND_WALLET, BUSINESS_INSUFFICIENT_BALANCE, the code of a limit
 * on spending that it would pass (spec §17.5), and CONFLICT_ORDER_STATE when the key was released (before or after its reserve) or has lapsed.
 */
export async function reserveFunds(
  ledger: Ledger,
  wallet: WalletRef,
  values: Values<'reserve'>,
  patience?: Patience,
): Promise<Reserved> {
  const outcome = await ledger.submit(wallet, { kind: 'reserve', ...values }, patience);
  const { available, displayRate } = resultOf(outcome);
  return { availableBalance: available, displayRate };
}

/** Makes a hold last until its order's outcome; throws CONFLICT_ORDER_STATE when it has ended or never was. */
export async function pinReservation(
  ledger: Ledger,
  wallet: WalletRef,
  reservationKey: string,
  patience?: Patience,
): Promise<void> {
  resultOf(await ledger.submit(wallet, { kind: 'pin', reservationKey }, patience));
}

/** Takes the held amount or less and frees the rest; throws CONFLICT_ORDER_STATE when there is no such hold. */
export async function captureFunds(
  ledger: Ledger,
  wallet: WalletRef,
  values: Values<'capture'>,
  patience?: Patience,
): Promise<PostedLine> {
  return postedLine(resultOf(await ledger.submit(wallet, { kind: 'capture', ...values }, patience)));
}

/** Frees a hold, or bars a later reserve under its key; throws CONFLICT_ORDER_STATE when it was captured. */
export async function releaseFunds(
  ledger: Ledger,
  wallet: WalletRef,
  reservationKey: string,
  patience?: Patience,
): Promise<void> {
  resultOf(await ledger.submit(wallet, { kind: 'release', reservationKey }, patience));
}

/** Gives back what was captured, or a part; throws CONFLICT_ORDER_STATE when less than that is left. */
export async function refundFunds(
  ledger: Ledger,
  wallet: WalletRef,
  values: Values<'refund'>,
  patience?: Patience,
): Promise<PostedLine> {
  return postedLine(resultOf(await ledger.submit(wallet, { kind: 'refund', ...values }, patience)));
}

function postedLine({ transactionId, balanceAfter }: PostedLine): PostedLine {
  return { transactionId, balanceAfter };
}
