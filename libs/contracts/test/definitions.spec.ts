import { describe, expect, test } from '@jest/globals';
import type { EnumTypeDefinition, ServiceDefinition } from '@grpc/proto-loader';
import * as contracts from '../src';
import { ENUMS, generatedAs, INDEPENDENT, MESSAGES, PROTO_FILES, SERVICES } from './schema';
import type { GeneratedMessage, GeneratedMethod } from './schema';

describe('what @reseller/contracts exports', () => {
  test('when a file is added to proto/, then all its messages, enums and services are exported', () => {
    expect(PROTO_FILES.length).toBeGreaterThan(10);
    const missing = [
      ...MESSAGES.filter((type) => generatedAs<GeneratedMessage>(type.name)?.encode === undefined),
      ...ENUMS.filter((type) => generatedAs(type.name) === undefined),
      ...SERVICES.filter((type) => generatedAs(`${type.name}Service`) === undefined),
    ];
    expect(missing.map((type) => type.typeName)).toEqual([]);
  });

  test('when two packages declare a message or enum of one name, then it is noticed: exports share one name space', () => {
    const names = [...MESSAGES, ...ENUMS, ...SERVICES].map((type) => type.name);
    expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
  });
});

describe.each(ENUMS.map((type) => [type.typeName, type] as const))('enum %s', (typeName, type) => {
  test('when its values are listed, then both readers have the same names and numbers', () => {
    const ours = Object.values(generatedAs<Record<string, string>>(type.name)!).filter(
      (name) => name !== 'UNRECOGNIZED',
    );
    const camel = `${type.name.charAt(0).toLowerCase()}${type.name.slice(1)}`;
    const toNumber = generatedAs<(name: string) => number>(`${camel}ToNumber`)!;
    const theirs = (INDEPENDENT[typeName] as EnumTypeDefinition).type as {
      value: { name: string; number: number }[];
    };
    expect(ours.map((name) => ({ name, number: toNumber(name) }))).toEqual(
      theirs.value.map(({ name, number }) => ({ name, number })),
    );
  });

  test('when a peer sends a number that we do not know, then it is UNRECOGNIZED and not another value', () => {
    const camel = `${type.name.charAt(0).toLowerCase()}${type.name.slice(1)}`;
    expect(generatedAs<(value: unknown) => string>(`${camel}FromJSON`)!(9999)).toBe('UNRECOGNIZED');
  });
});

describe.each(SERVICES.map((type) => [type.typeName, type] as const))('service %s', (typeName, type) => {
  const ours = generatedAs<Record<string, GeneratedMethod>>(`${type.name}Service`)!;
  const theirs = INDEPENDENT[typeName] as ServiceDefinition;

  test('when its methods are listed, then paths and streaming agree and nothing is left over', () => {
    const shape = (method: { path: string; requestStream: boolean; responseStream: boolean }) => ({
      path: method.path,
      requestStream: method.requestStream,
      responseStream: method.responseStream,
    });
    const byPath = (a: { path: string }, b: { path: string }) => (a.path < b.path ? -1 : 1);
    expect(Object.values(ours).map(shape).sort(byPath)).toEqual(
      Object.values(theirs).map(shape).sort(byPath),
    );
    expect(Object.keys(ours).length).toBe(type.methods.length);
  });

  test('when a method is called, then it takes and returns messages of its own, never shared ones', () => {
    for (const method of type.methods) {
      expect([method.input.name, method.output.name]).toEqual([
        `${method.name}Request`,
        `${method.name}Response`,
      ]);
      // An empty request of ours is one of theirs, and their empty response is one of ours.
      const own = ours[method.localName]!;
      const other = theirs[method.name]!;
      const empty = generatedAs<GeneratedMessage>(method.input.name)!.decode(Buffer.alloc(0));
      expect(() => other.requestDeserialize(own.requestSerialize(empty))).not.toThrow();
      expect(own.responseDeserialize(other.responseSerialize({}))).toEqual(
        generatedAs<GeneratedMessage>(method.output.name)!.decode(Buffer.alloc(0)),
      );
    }
  });
});

test('when the generated module is imported, then it exports nothing but what proto/ declares and its coders', () => {
  const declared = new Set([...MESSAGES, ...ENUMS].map((type) => type.name)).add('RPC_POLICIES');
  const strange = Object.keys(contracts).filter(
    (name) => !declared.has(name) && !/(Service|Client|FromJSON|ToNumber|ToJSON)$/.test(name),
  );
  expect(strange).toEqual([]);
});
