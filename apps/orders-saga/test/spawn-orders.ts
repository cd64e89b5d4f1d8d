import { closeRpcClients } from '@reseller/rpc';
import { bundleService, spawnService, type Program, type ServiceProcess } from '@reseller/testing';
import path from 'node:path';
import { connect, PATIENT, type Clients } from './start-orders';

/** orders-saga as a process of its own, with clients of it. */
export interface OrdersProcess extends Clients, Pick<ServiceProcess, 'child' | 'ended'> {
  stop(): Promise<void>;
}

/** orders-saga as one file that Node runs. */
export const bundleOrders = (): Promise<Program> => bundleService(path.join(__dirname, '..'));

/** Runs it until it is ready. */
export async function spawnOrders(file: string, env: Record<string, string>): Promise<OrdersProcess> {
  const { child, ended, grpcPort, kill } = await spawnService(file, { ...PATIENT, ...env });
  const clients = connect(`127.0.0.1:${grpcPort}`);
  return {
    ...clients,
    child,
    ended,
    async stop() {
      closeRpcClients(clients);
      await kill();
    },
  };
}
