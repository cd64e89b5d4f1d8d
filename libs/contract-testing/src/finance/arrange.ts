import { v7 as uuidv7 } from 'uuid';
import type { Message } from '../contract';
import { newPartner, type Partner, type World } from '../world';

/** A partner with an open wallet and so much in it. */
export async function funded(world: World, amount: string): Promise<Partner> {
  const partner = newPartner();
  await world.call('WalletService.OpenWallet', partner.ref);
  if (amount !== '0.00') await deposit(world, partner, amount);
  return partner;
}

/** Adds money under a key of its own. */
export async function deposit(world: World, { ref }: Partner, amount: string): Promise<Message> {
  return world.call('WalletService.CreditWallet', {
    ...ref,
    amount,
    notes: 'deposit',
    idempotency_key: uuidv7(),
  });
}

/** A reserve of a new order. */
export function reserveRequest({ ref }: Partner, amount: string): Message & { reservation_key: string } {
  const key = `ORD-${uuidv7()}`;
  return { ...ref, reservation_key: key, order_global_id: key, amount, pinned: true };
}

/** Sets so much aside; answers what names the reservation in the calls that follow. */
export async function reserved(world: World, partner: Partner, amount: string): Promise<Message> {
  const request = reserveRequest(partner, amount);
  await world.call('FundsService.ReserveFunds', request);
  return { ...partner.ref, reservation_key: request.reservation_key };
}

/** Charges so much; answers what names the reservation. */
export async function captured(world: World, partner: Partner, amount: string): Promise<Message> {
  const order = await reserved(world, partner, amount);
  await world.call('FundsService.CaptureFunds', { ...order, amount, notes: 'order' });
  return order;
}

/** Posted and available. */
export async function balanceOf(world: World, { caller }: Partner): Promise<[unknown, unknown]> {
  const answer = await world.call('WalletService.GetBalance', {}, caller);
  return [answer['current_balance'], answer['available_balance']];
}
