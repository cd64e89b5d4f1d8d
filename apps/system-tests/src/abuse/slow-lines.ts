import { connect } from 'node:net';
import type { SlowOutcome } from './slow-callers';
import { lineOf } from './verdict';
import type { Line } from './verdict';
import type { Address } from './wire';

const CUT_LIMIT_MS = 60_000;

/** How long slow callers are let be, so that the last of them is cut off in time or is not. */
export const SLOW_PHASE_MS = CUT_LIMIT_MS + 5_000;

/** Each kind of slow caller: cut off in time, or left alone where it only harms itself. */
export const slowLines = (outcomes: readonly SlowOutcome[]): Line[] =>
  outcomes.map(({ name, connections, isCut, cut, lastCutMs }) => {
    const seconds = `${(lastCutMs / 1000).toFixed(0)} s`;
    const figure = `${cut} of ${connections} cut${cut > 0 ? `, the last after ${seconds}` : ''}`;
    if (!isCut) return lineOf(`slow: ${name}`, figure, 'harms nobody else', []);
    const late = cut < connections ? [`${connections - cut} are still open`] : [];
    const details = lastCutMs > CUT_LIMIT_MS ? [...late, `the last after ${seconds}`] : late;
    return lineOf(`slow: ${name}`, figure, 'all within 60 s', details);
  });

/** Opens connections all at once, some with a letter sent, and breaks all of them off; returns how many were taken. */
export async function flood(to: Address, connections: number): Promise<number> {
  const taken = await Promise.all(
    Array.from(
      { length: connections },
      (_, at) =>
        new Promise<boolean>((resolve) => {
          const socket = connect(to, () => {
            if (at % 2 === 0) socket.write('G', () => socket.resetAndDestroy());
            else socket.resetAndDestroy();
            resolve(true);
          });
          socket.on('error', () => resolve(false));
        }),
    ),
  );
  return taken.filter(Boolean).length;
}
