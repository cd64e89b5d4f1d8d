import { describe, expect, test } from '@jest/globals';
import type { DescMethod } from '@bufbuild/protobuf';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { RPC_POLICIES } from '../src';
import { SERVICES } from './schema';

const apps = path.resolve(__dirname, '../../../apps');
const methods = SERVICES.flatMap((service) => service.methods);
const pathOf = (method: DescMethod): string => `/${method.parent.typeName}/${method.name}`;

// The place of a method in a file: service (6) number n, its method (2) number m.
function commentOf(method: DescMethod): string {
  const place = [
    6,
    method.parent.file.services.indexOf(method.parent),
    2,
    method.parent.methods.indexOf(method),
  ];
  const found = method.parent.file.proto.sourceCodeInfo?.location.find(
    ({ path: at }) => at.length === place.length && at.every((step, i) => step === place[i]),
  );
  return found?.leadingComments ?? '';
}

describe('what the contracts say of each RPC', () => {
  test('when an RPC is declared, then its policy is known at runtime, and nothing else is', () => {
    expect(Object.keys(RPC_POLICIES).sort()).toEqual(methods.map(pathOf).sort());
  });

  test('when an RPC may not be sent again, then its comment says "Not idempotent" and why; else it does not', () => {
    const undecided = methods.filter((method) => {
      const isSafe = RPC_POLICIES[pathOf(method)]?.idempotency !== 'IDEMPOTENCY_UNKNOWN';
      return isSafe === /\bNot idempotent\b/.test(commentOf(method).replace(/\s+/g, ' '));
    });
    expect(undecided.map(pathOf)).toEqual([]);
  });

  test('when an RPC is said to change nothing, then its name asks a question', () => {
    const changing = methods.filter(
      (method) =>
        RPC_POLICIES[pathOf(method)]?.idempotency === 'NO_SIDE_EFFECTS' &&
        !/^(Get|List|Search|Count|Check|Quote|Await)/.test(method.name),
    );
    expect(changing.map(pathOf)).toEqual([]);
  });

  test('when a response may be older, then the RPC changes nothing, and no other service calls it', () => {
    const stale = Object.entries(RPC_POLICIES).filter(([, { mayBeStale }]) => mayBeStale);
    expect(stale.length).toBeGreaterThan(5);
    const unfit = stale.filter(
      ([, { idempotency, callers }]) =>
        idempotency !== 'NO_SIDE_EFFECTS' || !callers.every((app) => ['backoffice', 'gateway'].includes(app)),
    );
    expect(unfit).toEqual([]);
  });

  test('when an RPC names its callers, then there is one at least, and each is an app', () => {
    const unfit = Object.entries(RPC_POLICIES).filter(
      ([, { callers }]) =>
        callers.length === 0 || !callers.every((app) => existsSync(path.join(apps, app, 'src'))),
    );
    expect(unfit).toEqual([]);
  });
});
