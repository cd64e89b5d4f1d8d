import { setTimeout as pause } from 'node:timers/promises';
import { killService, pidOf, whileStopped } from '../platform/processes';
import type { KillCell } from './cells';
import { createInVain, untilStatus } from './run-cell';
import type { Cell } from './run-cell';

/** Longer than a lease of 15 seconds. */
const PAST_THE_LEASE_MS = 16_000;
/** The slow vendor takes three seconds; past them the charge is under way. */
const VENDOR_HAS_ENDED_MS = 3_300;

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
        await whileStopped(service, () => pause(PAST_THE_LEASE_MS));
        await lost;
        return 0;
      }
      if (during === 'capturing') {
        // It takes the call and returns nothing: it dies with the charge in its hands.
        process.kill(pidOf(service), 'SIGSTOP');
        await pause(VENDOR_HAS_ENDED_MS);
      }
      await killService(service);
      await lost;
      return 1;
    },
  };
}
