import { describe, expect, it } from '@jest/globals';
import { CONTRACTS } from '../src/contracts';
import { RPCS, rpcComment } from '../src/schema/promised-errors';

describe.each(Object.entries(CONTRACTS))('the contract of %s', (_, { services }) => {
  const rpcs = services.flatMap(({ service, rpcs: cases }) =>
    Object.entries(cases).map(([rpc, contract]) => [`${service}.${rpc}`, contract] as const),
  );

  it.each(rpcs)('holds %s to every error that its comment names, and to no other', (name, contract) => {
    const method = RPCS.get(name);
    if (!method) throw new Error(`no .proto file declares ${name}`);
    const promised = rpcComment(method).errors.map(({ code }) => code);
    const held = [...Object.keys(contract.refuses ?? {}), ...Object.keys(contract.unshown ?? {})];
    expect(held.sort()).toEqual([...promised].sort());
    expect(Object.keys(contract.promises)).not.toEqual([]);
  });

  it('has every RPC of the services it serves', () => {
    const served = new Set(services.map(({ service }) => service));
    const declared = [...RPCS.keys()].filter((name) => served.has(name.split('.')[0] ?? ''));
    expect(rpcs.map(([name]) => name).sort()).toEqual(declared.sort());
  });
});
