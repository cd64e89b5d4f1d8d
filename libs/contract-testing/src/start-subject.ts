import { createEventBus } from '@reseller/messaging';
import { silentLog } from '@reseller/testing';
import type { Contract } from './contract';
import type { Subject } from './describe-contract';
import { GoldenRecorder } from './golden';
import { World } from './world';

/** A service that was started for a suite: where it listens, and the event bus that it is connected to. */
export interface Started {
  readonly address: string;
  /** Absent where nobody said which: cases that need one fail and say so. */
  readonly bus?: { readonly url: string } | undefined;
  stop(): Promise<void>;
}

/** Starts the dependencies, then the service with their addresses, and returns what its contract is checked against. */
export async function startSubject(
  contract: Contract,
  start: (dependencies: Readonly<Record<string, string>>) => Promise<Started>,
  at: Readonly<Record<string, string>> = {},
): Promise<Subject> {
  const dependencies = contract.dependencies();
  for (const [name, fake] of Object.entries(dependencies)) await fake.start(at[name]);
  const addresses = Object.fromEntries(
    Object.entries(dependencies).map(([name, fake]) => [name, fake.address]),
  );
  const { address, bus, stop } = await start(addresses);
  const events = bus && (await createEventBus({ url: bus.url, clientId: 'contract', log: silentLog }));
  const topics = [...new Set(contract.publishes.map(({ topic }) => topic))];
  const operatorRpcs = contract.services.flatMap(({ service, rpcs }) =>
    Object.entries(rpcs).flatMap(([rpc, { needsOperator }]) => (needsOperator ? [`${service}.${rpc}`] : [])),
  );
  return {
    world: new World(
      address,
      new GoldenRecorder(contract.app),
      events,
      topics,
      dependencies,
      new Set(operatorRpcs),
    ),
    stop,
  };
}
