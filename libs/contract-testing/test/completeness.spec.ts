import { describe, expect, it } from '@jest/globals';
import { isErrorCode } from '@reseller/errors';
import { CONTRACTS } from '../src/contracts';
import { codeOf, sentencesOf } from '../src/describe-contract';
import { Golden } from '../src/golden';
import { EVENTS } from '../src/schema/event-files';
import { ALWAYS_POSSIBLE, RPCS, rpcComment } from '../src/schema/promised-errors';

const ALL = Object.values(CONTRACTS);

describe('the contracts together', () => {
  it('hold every RPC of every proto', () => {
    const held = ALL.flatMap(({ services }) =>
      services.flatMap(({ service, rpcs }) => Object.keys(rpcs).map((rpc) => `${service}.${rpc}`)),
    );
    expect([...new Set(held)].sort()).toEqual([...RPCS.keys()].sort());
  });

  it('hold every event of every proto to its topic', () => {
    const held = ALL.flatMap(({ publishes }) => publishes.map(({ type, topic }) => `${type} on ${topic}`));
    const declared = EVENTS.map(({ type, topic }) => `${type.typeName} on ${topic}`);
    expect(held.sort()).toEqual(declared.sort());
  });

  it('have an effect for each event that anybody takes in, from the topic it is published on', () => {
    const published = new Map(EVENTS.map(({ type, topic }) => [type.typeName, topic]));
    for (const { type, topic, sentences } of ALL.flatMap(({ consumes }) => consumes)) {
      expect([type, topic]).toEqual([type, published.get(type)]);
      expect(Object.keys(sentences)).not.toEqual([]);
    }
  });

  it.each([...RPCS])('%s lists every error that its comment speaks of', (_, method) => {
    const { prose, errors } = rpcComment(method);
    const named = (prose.match(/\b[A-Z]+(?:_[A-Z]+)+\b/g) ?? []).filter(isErrorCode);
    const listed: readonly string[] = [...errors.map(({ code }) => code), ...ALWAYS_POSSIBLE];
    expect(named.filter((code) => !listed.includes(code))).toEqual([]);
  });
});

describe.each(Object.entries(CONTRACTS))('the contract of %s', (app, { services }) => {
  it('fills every field that it sends in some case', () => {
    const { forms } = new Golden(app).file;
    expect(Object.entries(forms).filter(([, form]) => form === 'absent')).toEqual([]);
  });

  const rpcs = services.flatMap((service) =>
    Object.keys(service.rpcs).map((rpc) => [`${service.service}.${rpc}`, sentencesOf(service, rpc)] as const),
  );

  it.each(rpcs)('holds %s to every error that its comment names, and to no other', (name, sentences) => {
    const method = RPCS.get(name);
    const promised = method && rpcComment(method).errors.map(({ code }) => code);
    const codes = Object.keys(sentences).map(codeOf);
    expect([...new Set(codes.filter(Boolean))].sort()).toEqual(promised?.sort());
    expect(codes).toContain(undefined);
  });

  it('has every RPC of the services it serves', () => {
    const served = new Set(services.map(({ service }) => service));
    const declared = [...RPCS.keys()].filter((name) => served.has(name.split('.')[0] ?? ''));
    expect(rpcs.map(([name]) => name).sort()).toEqual(declared.sort());
  });
});
