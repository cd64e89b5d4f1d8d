import { createRequire } from 'node:module';
import path from 'node:path';
import { randomUUID } from 'node:crypto';
import { repeat } from '../http-load';
import { installYardstick } from './install';

/** The argument that makes this bundle DBOS's workflow. */
export const DBOS_ROLE = 'dbos-workflow';

const PACKAGE = '@dbos-inc/dbos-sdk';
const VERSION = '5.3.0';
/** As many connections as orders-saga has. */
const POOL_SIZE = 16;

/** What of DBOS is used; it is installed on request and no dependency of ours. */
interface Dbos {
  setConfig(config: object): void;
  launch(): Promise<void>;
  registerWorkflow<A extends unknown[], R>(
    work: (...args: A) => Promise<R>,
    options: { name: string },
  ): (...args: A) => Promise<R>;
  runStep<R>(step: () => Promise<R>, options: { name: string }): Promise<R>;
}

/** What is to be done how long, so many at once. */
export interface SagaRunPlan {
  readonly seconds: number;
  readonly atOnce: number;
}

/** Installs DBOS when it is not there yet; returns where. */
export const installDbos = (): string => installYardstick('dbos', { [PACKAGE]: VERSION });

/** A durable workflow of the steps of a top-up, each doing nothing, on a database of its own. */
export function serveDbos(): void {
  process.once('message', ({ folder, databaseUrl }: { folder: string; databaseUrl: string }) => {
    const { DBOS } = createRequire(path.join(folder, 'package.json'))(PACKAGE) as { DBOS: Dbos };
    DBOS.setConfig({
      name: 'bench',
      systemDatabaseUrl: databaseUrl,
      systemDatabasePoolSize: POOL_SIZE,
      logLevel: 'error',
      runAdminServer: false,
    });
    const topup = DBOS.registerWorkflow(
      async (order: { reference: string; amount: string }) => {
        await DBOS.runStep(() => Promise.resolve({ reserved: order.amount }), { name: 'funds.reserve' });
        await DBOS.runStep(() => Promise.resolve({ vendorOrderId: 'V-1' }), { name: 'vendor.submit' });
        await DBOS.runStep(() => Promise.resolve({ captured: order.amount }), { name: 'funds.capture' });
        await DBOS.runStep(() => Promise.resolve({ event: 'OrderCompleted' }), { name: 'order.complete' });
        return { status: 'Completed' };
      },
      { name: 'topup' },
    );
    const place = async (): Promise<boolean> =>
      (await topup({ reference: randomUUID(), amount: '10.00' })).status === 'Completed';
    void DBOS.launch().then(() => {
      process.on('message', (plan: SagaRunPlan) => {
        void repeat(plan, place).then((result) => process.send?.(result));
      });
      process.send?.(0);
    });
  });
  process.once('disconnect', () => process.exit(0));
}
