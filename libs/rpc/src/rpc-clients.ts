import type { RpcDefinition } from './definition';
import { RpcChannel } from './rpc-channel';
import { clientOn, type RpcClient } from './rpc-client';
import type { RpcClientOptions } from './rpc-options';

/** Services by the name a caller has for them: what each offers, and at which dependency. */
export type RpcClientTable<Dependency extends string> = Readonly<
  Record<string, readonly [definition: RpcDefinition, dependency: Dependency]>
>;

/** A client for each row of a table. */
export type RpcClients<T extends RpcClientTable<string>> = {
  readonly [Name in keyof T]: RpcClient<T[Name][0]>;
};

/**
 * Opens one keep-alive channel for each dependency of a table and starts to connect it; none is connected yet when it
 * returns. Calls share their dependency's connections.
 */
export function createRpcClients<Dependency extends string, T extends RpcClientTable<Dependency>>(
  table: T,
  addresses: Readonly<Record<Dependency, string>>,
  options: Omit<RpcClientOptions, 'name'>,
): RpcClients<T> {
  const channels = new Map<Dependency, RpcChannel>();
  const clients = Object.entries(table).map(([name, [definition, dependency]]) => {
    const channel =
      channels.get(dependency) ?? new RpcChannel(addresses[dependency], { ...options, name: dependency });
    channels.set(dependency, channel);
    channel.isReady();
    return [name, clientOn(channel, definition)] as const;
  });
  return Object.fromEntries(clients) as RpcClients<T>;
}

/** Ends every channel; calls under way fail with SERVICE_UNAVAILABLE. */
export function closeRpcClients(clients: Readonly<Record<string, { close(): void }>>): void {
  for (const client of Object.values(clients)) client.close();
}
