import { killService, pidOf, whileStopped } from '../platform/processes';
import { rowsOf } from '../platform/rows-of';
import type { KillCell } from './cells';
import { createInVain, untilStatus } from './run-cell';
import type { Cell, CellStage } from './run-cell';
import { until } from '../until';

// Or another instance has taken it over already.
const LAPSED = 's.lease_until <= clock_timestamp() OR s.lease_epoch > 1';
const CAPTURING = `EXISTS (SELECT FROM saga_steps WHERE order_id = s.order_id AND step = 'funds.capture')`;

/** Any process is killed, or stands still, while an order is on its way to a vendor that takes three seconds. */
export function killCell({ service, during, how }: KillCell): Cell {
  const isLive = service === 'vendor-simulator';
  return {
    crash: `${how} ${service}, ${during === 'working' ? 'vendor at work' : 'charge under way'}`,
    environment: isLive ? 'live' : 'sandbox',
    vendor: 'slow',
    ends: 'Completed',
    victim: service,
    async strike(stage) {
      const lost = createInVain(stage);
      await untilStatus(stage, 'Processing');
      if (how === 'SIGSTOP') {
        await whileStopped(service, () => until('the lease lapses', () => hasSaga(stage, LAPSED)));
        await lost;
        return 0;
      }
      if (during === 'capturing') {
        // It takes the call and returns nothing: it dies with the charge in its hands.
        process.kill(pidOf(service), 'SIGSTOP');
        await until('the charge is under way', () => hasSaga(stage, CAPTURING));
      }
      await killService(service);
      await lost;
      return 1;
    },
  };
}

/** Whether the saga of a stage's order is so, on the word of its database. */
async function hasSaga({ partner }: CellStage, condition: string): Promise<boolean> {
  const text = `SELECT FROM sagas s JOIN orders o ON o.id = s.order_id WHERE o.partner_id = $1 AND (${condition})`;
  return (await rowsOf('orders-saga', text, [partner.id])).length > 0;
}
