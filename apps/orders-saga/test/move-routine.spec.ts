import { describe, expect, it } from '@jest/globals';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { ALLOWED_MOVES } from '../src/order/domain/order';
import { GROUP_MOVES } from '../src/products/scent/fulfillment/domain/rollup';
import { RETURN_MOVES } from '../src/products/scent/returns/domain/return-request';
import { MIGRATIONS } from './start-orders';

const FILE = path.join(MIGRATIONS, '../routines/may_move.sql');

type Moves = Readonly<Record<string, readonly string[] | undefined>>;

/** The one statement of every move: of orders by their product, and of what scent orders are made of. */
const MOVES: Readonly<Record<string, Moves>> = {
  ...Object.fromEntries(
    Object.entries(ALLOWED_MOVES).map(([product, moves]) => [product, { new: ['Pending'], ...moves }]),
  ),
  FulfillmentGroup: GROUP_MOVES,
  ReturnRequest: RETURN_MOVES,
};

function mayMove(): string {
  const rows = Object.entries(MOVES).flatMap(([kind, moves]) =>
    Object.entries(moves).flatMap(([from, targets = []]) =>
      targets.map((to) => `('${kind}', '${from}', '${to}')`),
    ),
  );
  return `-- Invariant: the moves of spec §4.4, §7.3 and §8.2, written from the tables in TypeScript by \`npm run moves:write\`.
CREATE OR REPLACE FUNCTION may_move(p_kind text, p_from text, p_to text) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  SELECT (p_kind, p_from, p_to) IN (
    ${rows.join(',\n    ')})
$$;
`;
}

describe('the moves that the database knows', () => {
  it('when its routine is written anew from the tables of moves, then nothing changes', () => {
    if (process.env['WRITE_MOVES']) writeFileSync(FILE, mayMove());
    expect(readFileSync(FILE, 'utf8')).toBe(mayMove());
  });
});
