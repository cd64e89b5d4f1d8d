import { describe, expect, it } from '@jest/globals';
import { DeliveryOperationsServiceService } from '@reseller/contracts';
import type { RpcHandlers } from '@reseller/rpc';
import type { Replica } from './replica';
import { readFromReplica } from './read-from-replica';

type Handlers = RpcHandlers<typeof DeliveryOperationsServiceService>;

/** Handlers of which each says whose it is. */
const handlersOf = (from: string): Handlers =>
  Object.fromEntries(
    Object.keys(DeliveryOperationsServiceService).map((name) => [name, () => Promise.resolve(from)]),
  ) as never;

const replica = { pool: undefined, read: (onReplica: () => unknown) => onReplica() } as unknown as Replica;

describe('an RPC service over a replica', () => {
  const service = readFromReplica(DeliveryOperationsServiceService, handlersOf('primary'), replica, () =>
    handlersOf('replica'),
  );
  const call = (name: string, acceptsStale: boolean) =>
    service.handlers[name]?.({}, { requestId: 'r', acceptsStale });

  it('when a caller accepts it and the contract does, then the replica serves it', async () => {
    expect(await call('countWebhookDeliveries', true)).toBe('replica');
  });

  it('when the caller says nothing, or the contract, then the primary does', async () => {
    expect(await call('countWebhookDeliveries', false)).toBe('primary');
    expect(await call('listDeliveriesOfOrder', true)).toBe('primary');
    expect(await call('redeliverAnyWebhookDelivery', true)).toBe('primary');
  });

  it('when a declared RPC has no handler over the replica, then the service does not start', () => {
    expect(() =>
      readFromReplica(DeliveryOperationsServiceService, handlersOf('primary'), replica, () => ({})),
    ).toThrow('listAllWebhookDeliveries may be stale and has no handler over the replica');
  });

  it('when there is no replica, then nothing is made for one', () => {
    const none = (): never => {
      throw new Error('made');
    };
    const plain = readFromReplica(DeliveryOperationsServiceService, handlersOf('primary'), undefined, none);
    expect(Object.keys(plain.handlers)).toEqual(Object.keys(DeliveryOperationsServiceService));
  });
});
