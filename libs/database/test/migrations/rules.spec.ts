import { describe, expect, it } from '@jest/globals';
import { findFaults, nothingKnown } from './rules';

async function judge(sql: string): Promise<string[]> {
  const known = nothingKnown();
  await findFaults('CREATE TABLE orders (id int);', known);
  return (await findFaults(sql, known)).map(({ why }) => why);
}

describe('the rules for new migrations', () => {
  it.each([
    'CREATE TABLE lines (id int PRIMARY KEY, order_id int REFERENCES orders); CREATE INDEX lines_idx ON lines (order_id)',
    'CREATE TABLE lines (id int); ALTER TABLE lines ALTER id SET NOT NULL, DROP COLUMN id; INSERT INTO lines SELECT 1',
    'ALTER TABLE orders ADD COLUMN note text, ADD COLUMN n int NOT NULL DEFAULT 0, ADD COLUMN at timestamptz DEFAULT now()',
    'ALTER TABLE orders ADD COLUMN doubled int GENERATED ALWAYS AS (id * 2) VIRTUAL',
    'ALTER TABLE orders ADD CONSTRAINT small CHECK (id < 9) NOT VALID',
    'ALTER TABLE orders VALIDATE CONSTRAINT small',
    'ALTER TABLE orders ADD CONSTRAINT orders_key UNIQUE USING INDEX orders_key_idx',
    'CREATE INDEX CONCURRENTLY IF NOT EXISTS orders_idx ON orders (id)',
    'DROP INDEX CONCURRENTLY IF EXISTS orders_idx',
    "SET LOCAL work_mem = '64MB'",
    'INSERT INTO orders VALUES (1), (2)',
    "ALTER TYPE colour ADD VALUE 'red'",
    '-- safe: no version has read it since 1.4\nALTER TABLE orders DROP COLUMN note',
  ])('when it reads %s, then it is let through', async (sql) => {
    expect(await judge(sql)).toEqual([]);
  });

  it.each([
    ['DROP TABLE orders', 'may still use it'],
    ['DROP FUNCTION move(int)', 'may still use it'],
    ['ALTER TABLE orders RENAME TO purchases', 'old name'],
    ['ALTER TABLE orders RENAME COLUMN id TO no', 'old name'],
    ['ALTER TABLE orders DROP COLUMN id', 'still reads and writes'],
    ['ALTER TABLE orders ALTER id TYPE bigint', 'another type'],
    ['ALTER TABLE orders ALTER id SET NOT NULL', 'NOT VALID'],
    ['ALTER TABLE orders ALTER id DROP NOT NULL', 'nulls'],
    ['ALTER TABLE orders ALTER id DROP DEFAULT', 'leave the column out'],
    ['ALTER TABLE orders ADD COLUMN n int NOT NULL', 'give it a default'],
    ['ALTER TABLE orders ADD COLUMN n uuid DEFAULT gen_random_uuid()', 'rewrites the table'],
    ['ALTER TABLE orders ADD COLUMN n timestamptz DEFAULT clock_timestamp()', 'rewrites the table'],
    ['ALTER TABLE orders ADD COLUMN n serial', 'rewrites the table'],
    ['ALTER TABLE orders ADD COLUMN n int GENERATED ALWAYS AS (id) STORED', 'rewrites the table'],
    ['ALTER TABLE orders ADD COLUMN n int UNIQUE', 'builds an index'],
    ['ALTER TABLE orders ADD COLUMN n int CHECK (n > 0)', 'NOT VALID'],
    ['ALTER TABLE orders ADD CONSTRAINT small CHECK (id < 9)', 'NOT VALID'],
    ['ALTER TABLE orders ADD CONSTRAINT f FOREIGN KEY (id) REFERENCES orders', 'NOT VALID'],
    ['ALTER TABLE orders ADD CONSTRAINT k UNIQUE (id)', 'USING INDEX'],
    ['ALTER TABLE orders ADD CHECK (id < 9) NOT VALID; ALTER TABLE orders VALIDATE CONSTRAINT small', ''],
    [
      'ALTER TABLE orders ADD CONSTRAINT s CHECK (id < 9) NOT VALID; ALTER TABLE orders VALIDATE CONSTRAINT s',
      'later',
    ],
    ['ALTER TABLE orders DROP CONSTRAINT k', 'rely on it'],
    ['ALTER TABLE orders DISABLE TRIGGER ALL', 'not known to be safe'],
    ['CREATE INDEX orders_idx ON orders (id)', 'CONCURRENTLY'],
    ['CREATE INDEX CONCURRENTLY orders_idx ON orders (id)', 'IF NOT EXISTS'],
    ['CREATE INDEX CONCURRENTLY IF NOT EXISTS i ON orders (id); CREATE TABLE t ()', 'in a transaction'],
    ['DROP INDEX orders_idx', 'CONCURRENTLY'],
    ['CREATE FUNCTION move(a int) RETURNS int RETURN a', 'prisma/routines'],
    ['CREATE TRIGGER t AFTER INSERT ON orders EXECUTE FUNCTION f()', 'prisma/routines'],
    ['UPDATE orders SET id = 1', 'batches'],
    ['DELETE FROM orders WHERE id = 1', 'batches'],
    ['INSERT INTO orders SELECT id FROM others', 'batches'],
    ['TRUNCATE orders', 'takes the rows away'],
    ["ALTER TYPE colour RENAME VALUE 'red' TO 'ruby'", 'old name'],
    ["SET work_mem = '64MB'", 'SET LOCAL'],
    ['COMMIT', 'one transaction already'],
    ['DO $$ BEGIN END $$', 'not known to be safe'],
    ['LOCK TABLE orders', 'not known to be safe'],
    ['-- safe: yes\nDROP TABLE orders', 'may still use it'],
    [
      'ALTER TABLE orders ADD COLUMN a text; -- safe: this excuses what follows\nSELECT 1; DROP TABLE orders',
      'may still',
    ],
  ])('when it reads %s, then it is refused', async (sql, why) => {
    const faults = await judge(sql);
    if (why === '') expect(faults).toEqual([]);
    else expect(faults).toEqual([expect.stringContaining(why)]);
  });
});
