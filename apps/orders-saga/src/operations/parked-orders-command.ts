import { createPool, databaseAddress, query, type PreparedStatement } from '@reseller/database';
import {
  COMMAND_OPERATOR_HELP,
  commandOperator,
  commandOperatorOption,
  databaseConfig,
  loadConfig,
  reporting,
  silentLog,
  type CommandCall,
} from '@reseller/service-kit';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { LAPSED } from '../saga/claim.sql';

// Its step is still open, which is what `saga.parked` at the journal's end says; an order that has another end has decisions.
const OF_PENDING = `FROM sagas s JOIN orders o ON o.id = s.order_id AND o.status = 'Pending'
  CROSS JOIN LATERAL (SELECT step, details, recorded_at FROM saga_steps WHERE order_id = s.order_id ORDER BY seq DESC LIMIT 1) AS j
  WHERE s.state = 'Parked' AND j.step = 'saga.parked'`;

// Raw: sagas beside their orders, of which Prisma knows no relation to the journal.
const LIST: PreparedStatement = {
  name: 'parked_orders_list',
  text: `SELECT o.global_id AS "orderGlobalId", j.details ->> 'at' AS step, j.details ->> 'code' AS code, j.recorded_at AS since
    ${OF_PENDING} ORDER BY j.recorded_at`,
};

// Raw: only while it is parked, decided in the statement that wakes it and notes in its journal who did; whoever claims it next
// has a lease of its own.
const RETRY: PreparedStatement = {
  name: 'parked_orders_retry',
  text: `WITH woken AS (
      UPDATE sagas SET state = 'Active', lane = '${LAPSED}', lease_owner = NULL, lease_until = NULL, wake_at = now(),
        failing_step = NULL, failing_since = NULL, failures = 0, journal = concat_ws(E'\\n', journal_lines(
          jsonb_build_array('operator.retry', (SELECT count(*) FROM saga_steps n WHERE n.order_id = sagas.order_id
            AND n.step = 'operator.retry'), 'Done', jsonb_build_object('decision', 'retry', 'operator', $2::text))::text), nullif(journal, ''))
      WHERE state = 'Parked' AND order_id = (SELECT s.order_id ${OF_PENDING} AND o.global_id = $1) RETURNING order_id
    )
    UPDATE orders SET status_description = NULL FROM woken WHERE id = woken.order_id RETURNING id`,
};

const USAGE = `Shows the top-ups and eSIM orders that are Pending and not tried any more (DATABASE_URL), one JSON line each.

  node dist/apps/orders-saga/parked-orders.js [--retry <orderGlobalId> [--retry …] --as <name>]

  --retry  has the order carried on where it stands, once what it failed of was mended; it is parked again if it fails again
  ${COMMAND_OPERATOR_HELP}, in the order's timeline

Ends with 0 when done, 1 when it could not be, 3 when no such order is parked.`;

/** Runs the command and returns its exit code: 0 done, 1 not done, 3 no such order is parked. */
export function runParkedOrdersCommand({ args, env, say, complain }: CommandCall): Promise<number> {
  return reporting({ name: 'orders-saga', complain }, async () => {
    const options = {
      retry: { type: 'string', multiple: true },
      ...commandOperatorOption,
      help: { type: 'boolean' },
    } as const;
    const { values } = parseArgs({ args, options });
    if (values.help) {
      say(USAGE);
      return 0;
    }
    const operator = values.retry ? commandOperator(values) : '';
    const address = databaseAddress(loadConfig(z.object(databaseConfig), env));
    const pool = createPool({ ...address, max: 1, name: 'parked-orders', log: silentLog });
    try {
      if (!values.retry) for (const order of await query(pool, LIST)) say(JSON.stringify(order));
      const missing: string[] = [];
      for (const orderGlobalId of values.retry ?? [])
        if ((await query(pool, RETRY, [orderGlobalId, operator])).length === 0) missing.push(orderGlobalId);
      for (const orderGlobalId of missing) complain(`orders-saga: no such order is parked: ${orderGlobalId}`);
      return missing.length > 0 ? 3 : 0;
    } finally {
      await pool.end();
    }
  });
}
