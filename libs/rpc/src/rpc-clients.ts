import type { Registry } from 'prom-client';
import type { RpcDefinition } from './definition';
import { createRpcClient, type RpcClient } from './rpc-client';

/** Services by the name a caller has for them: what each offers, and at which neighbour. */
export type RpcClientTable<Neighbour extends string> = Readonly<
  Record<string, readonly [definition: RpcDefinition, neighbour: Neighbour]>
>;

/** A client for each row of a table. */
export type RpcClients<T extends RpcClientTable<string>> = {
  readonly [Name in keyof T]: RpcClient<T[Name][0]>;
};

/**
 * Opens one keep-alive channel for each service of a table and starts to connect it; none is connected yet when it
 * returns. `defaultDeadlineMs` bounds a call that brings no deadline; calls are observed in `metrics`.
 */
export function createRpcClients<Neighbour extends string, T extends RpcClientTable<Neighbour>>(
  table: T,
  addresses: Readonly<Record<Neighbour, string>>,
  defaultDeadlineMs: number,
  metrics?: Registry,
): RpcClients<T> {
  const clients = Object.entries(table).map(([name, [definition, neighbour]]) => {
    const client = createRpcClient(definition, addresses[neighbour], {
      name: neighbour,
      defaultDeadlineMs,
      metrics,
    });
    client.isReady();
    return [name, client] as const;
  });
  return Object.fromEntries(clients) as RpcClients<T>;
}

/** Ends every channel; calls under way fail with SERVICE_UNAVAILABLE. */
export function closeRpcClients(clients: Readonly<Record<string, { close(): void }>>): void {
  for (const client of Object.values(clients)) client.close();
}
