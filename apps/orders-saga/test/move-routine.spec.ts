import { describe, expect, it } from '@jest/globals';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { PRODUCTS } from '../src/products';
import { GROUP_MOVES } from '../src/products/scent/fulfillment/domain/rollup';
import { RETURN_MOVES } from '../src/products/scent/returns/domain/return-request';
import { MIGRATIONS } from './start-orders';

const FILE = path.join(MIGRATIONS, '../routines/refuse_move.sql');

type Moves = Readonly<Record<string, readonly string[] | undefined>>;

/** A text[] literal. */
const array = (items: readonly string[]): string => `'{\n    ${items.join(',\n    ')}}'`;

const movesOf = (moves: Moves, of = ''): string[] =>
  Object.entries(moves).flatMap(([from, targets = []]) => targets.map((to) => `${of}${from} > ${to}`));

function onlyMoves(table: string, moves: Moves): string {
  return `
CREATE OR REPLACE TRIGGER ${table}_moves AFTER UPDATE OF status ON ${table} FOR EACH ROW
  WHEN (OLD.status <> NEW.status AND OLD.status || ' > ' || NEW.status <> ALL (${array(movesOf(moves))}))
  EXECUTE FUNCTION refuse_move();
`;
}

function refuseMove(): string {
  const products = PRODUCTS.map(({ name }) => name);
  const orderMoves = PRODUCTS.flatMap(({ name, moves }) => movesOf(moves, `${name}: `));
  return `-- Invariant: orders, fulfillment groups and return requests make only the moves of spec §4.4, §7.3 and §8.2, whatever writes to
-- them. Written by \`npm run moves:write\` from the tables of moves in TypeScript. The conditions are all that an allowed
-- write costs, and hold no function call, since PostgreSQL would read its text in every statement: the function refuses. After
-- an update, since before one PostgreSQL locks each row by itself.
CREATE OR REPLACE FUNCTION refuse_move() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% of % cannot be % when it is %', coalesce(NEW.id, OLD.id), TG_TABLE_NAME,
    CASE TG_OP WHEN 'DELETE' THEN 'deleted' ELSE NEW.status END, coalesce(OLD.status, 'new')
    USING ERRCODE = 'check_violation', CONSTRAINT = TG_TABLE_NAME || '_moves', TABLE = TG_TABLE_NAME;
END
$$;

-- An order is of a known product for good, begins as Pending, and is taken back before a vendor was called only (spec §4.2).
CREATE OR REPLACE TRIGGER orders_moves AFTER UPDATE OF status, product ON orders FOR EACH ROW
  WHEN (OLD.product <> NEW.product
    OR (OLD.status <> NEW.status AND OLD.product || ': ' || OLD.status || ' > ' || NEW.status <> ALL (${array(orderMoves)})))
  EXECUTE FUNCTION refuse_move();
CREATE OR REPLACE TRIGGER orders_first_status BEFORE INSERT ON orders FOR EACH ROW
  WHEN (NEW.status <> 'Pending' OR NEW.product NOT IN (${products.map((name) => `'${name}'`).join(', ')}))
  EXECUTE FUNCTION refuse_move();
CREATE OR REPLACE TRIGGER orders_withdrawal BEFORE DELETE ON orders FOR EACH ROW
  WHEN (OLD.status <> 'Pending')
  EXECUTE FUNCTION refuse_move();
${onlyMoves('fulfillment_groups', GROUP_MOVES)}${onlyMoves('return_requests', RETURN_MOVES)}`;
}

describe('the moves that the database knows', () => {
  it('when its routine is written anew from the tables of moves, then nothing changes', () => {
    if (process.env['WRITE_MOVES']) writeFileSync(FILE, refuseMove());
    expect(readFileSync(FILE, 'utf8')).toBe(refuseMove());
  });
});
