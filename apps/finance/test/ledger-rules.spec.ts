import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { constraintOf } from '@reseller/database';
import { createTestDatabase, type TestDatabase } from '@reseller/testing';
import { v7 as uuidv7 } from 'uuid';
import { LedgerRepository } from '../src/ledger/ledger.repository';
import { MIGRATIONS } from './finance-service';

describe('what the database itself refuses', () => {
  let database: TestDatabase;
  const walletId = uuidv7();
  const partnerId = uuidv7();

  beforeAll(async () => {
    database = await createTestDatabase({ migrations: MIGRATIONS });
    await database.pool.query(`INSERT INTO wallets (id, partner_id, environment) VALUES ($1, $2, 'live')`, [
      walletId,
      partnerId,
    ]);
    const wallet = { partnerId, environment: 'live' } as const;
    const credit = { kind: 'credit', idempotencyKey: 'k', amount: '10.00', notes: '' } as const;
    await new LedgerRepository(database.servicePool, 900_000).apply(wallet, [credit]);
  });
  afterAll(() => database.drop());

  const refusalOf = (sql: string, values: unknown[] = []) =>
    database.pool.query(sql, values).then(() => 'accepted', constraintOf);

  const post = (lines: string) => {
    const txId = uuidv7();
    return refusalOf(`
      WITH tx AS (INSERT INTO ledger_transactions (id, op_key, request_hash, kind, wallet_id, reference_id, balance_after, created_at)
                  VALUES ('${txId}', '${txId}', '', 'credit', '${walletId}', 'r', 0, now()))
      INSERT INTO ledger_entries (tx_id, line, wallet_id, platform_account, seq, debit_seq, debit_total, balance_after, amount, reference_type, reference_id, occurred_at)
      SELECT '${txId}', l.line, l.wallet_id::uuid, l.account, l.seq::bigint, l.debit_seq::bigint, l.debit_seq::numeric, l.balance::numeric, l.amount, 'Deposit', 'r', now()
      FROM (VALUES ${lines}) AS l (line, wallet_id, account, seq, debit_seq, balance, amount)`);
  };

  it('when the lines of a transaction do not sum to zero, then it cannot commit', async () => {
    expect(
      await post(`(1, '${walletId}', NULL, 2, 0, 15.00, 5.00), (2, NULL, 'cash', NULL, NULL, NULL, -4.99)`),
    ).toBe('ledger_transaction_zero_sum');
    expect(await post(`(1, '${walletId}', NULL, 2, 0, 15.00, 5.00)`)).toBe('ledger_transaction_zero_sum');
    expect(
      await post(`(1, NULL, 'sales', NULL, NULL, NULL, 5.00), (2, NULL, 'cash', NULL, NULL, NULL, -5.00)`),
    ).toBe('accepted');
  });

  it('when a line is added to a committed transaction, then it cannot commit', async () => {
    const sql = `INSERT INTO ledger_entries (tx_id, line, platform_account, amount, reference_type, reference_id, occurred_at)
                 SELECT tx_id, 9, 'cash', 1, 'Deposit', 'r', now() FROM ledger_entries LIMIT 1`;
    expect(await refusalOf(sql)).toBe('ledger_transaction_zero_sum');
  });

  it('when a seq repeats in a wallet, then it is refused', async () => {
    expect(
      await post(`(1, '${walletId}', NULL, 1, 0, 15.00, 5.00), (2, NULL, 'cash', NULL, NULL, NULL, -5.00)`),
    ).toBe('ledger_entry_wallet_seq');
  });

  it.each(['ledger_transactions', 'ledger_entries'])(
    'when lines of %s are changed, deleted or truncated, then it is refused',
    async (table) => {
      const column = table === 'ledger_transactions' ? 'kind' : 'notes';
      expect(await refusalOf(`UPDATE ${table} SET ${column} = ${column}`)).toBe('ledger_append_only');
      expect(await refusalOf(`DELETE FROM ${table}`)).toBe('ledger_append_only');
      expect(await refusalOf(`TRUNCATE ${table} CASCADE`)).toBe('ledger_append_only');
    },
  );

  it('when a wallet is deleted, then it is refused', async () => {
    expect(await refusalOf('DELETE FROM wallets')).toBe('ledger_append_only');
  });

  it('when a wallet would be overspent or a refund exceed its capture, then it is refused', async () => {
    expect(await refusalOf('UPDATE wallets SET held = 10.01')).toBe('wallet_not_overspent');
    expect(await refusalOf('UPDATE wallets SET held = -0.01')).toBe('wallet_held_not_negative');
    const reservation = (captured: string, refunded: string) =>
      refusalOf(`INSERT INTO reservations (op_key, wallet_id, amount, captured, refunded, state, reference_id, pinned, expires_at, available_after, created_at, ended_at)
                 VALUES ('k', '${walletId}', 5, ${captured}, ${refunded}, 'captured', 'r', true, 'infinity', 0, now(), now())`);
    expect(await reservation('5', '5.01')).toBe('reservation_refunded_within');
    expect(await reservation('5.01', '0')).toBe('reservation_captured_within');
  });
});
