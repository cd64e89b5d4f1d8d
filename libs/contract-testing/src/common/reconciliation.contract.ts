import { expect, operatorRpc, rpc, service, UNKNOWN, UNREACHABLE } from '../prelude';

/** The reconciler, as each app that has one serves it; differences cannot be brought about from outside. */
export const reconciliation = service('ReconciliationService', {
  RunReconciliation: rpc(undefined, {
    'carries every check to its end and returns where each stands; safe to repeat': async (use) => {
      for (const _ of ['once', 'again']) {
        const checks = await use.list(use.rpc);
        expect(checks).not.toEqual([]);
        const done = { is_complete: true, completed_at: expect.any(String) };
        for (const { failure, ...check } of checks) expect([check, failure]).toMatchObject([done, undefined]);
      }
    },
    'with the time when all of it began it compares no more what is through since': async (use) => {
      const since = new Date();
      await use.list(use.rpc, { since });
      for (const { is_complete, compared } of await use.list(use.rpc, { since }))
        expect([is_complete, compared]).toEqual([true, 0]);
    },
  }),
  ListDifferences: rpc(undefined, {
    'counts the differences that match and lists at most as many as the limit': async (use) => {
      const open = await use.call(use.rpc, { is_open: true, limit: 100 });
      expect(open.differences).toHaveLength(Number(open.total_count));
      expect(await use.list(use.rpc, { limit: 0 })).toEqual([]);
      const none = await use.call(use.rpc, { check: 'no-such-check', limit: 100 });
      expect(none).toEqual({ differences: [], total_count: 0 });
    },
  }),
  GetDifference: rpc(undefined, {
    'NOT_FOUND_DIFFERENCE: difference_id unknown': (use) => use.call(use.rpc, { difference_id: UNKNOWN }),
    'shows one as the list does': UNREACHABLE,
    'NOT_FOUND_DIFFERENCE: no id': (use) => use.call(use.rpc, { difference_id: 'one' }),
  }),
  AcceptDifference: operatorRpc(undefined, {
    'records who accepted it and why, and counts it no more; again it changes nothing': UNREACHABLE,
    'VALIDATION_FAILED: notes of spaces only': (use) =>
      use.call(use.rpc, { difference_id: UNKNOWN, notes: ' ' }),
    'NOT_FOUND_DIFFERENCE: difference_id unknown': (use) =>
      use.call(use.rpc, { difference_id: UNKNOWN, notes: 'a test' }),
    'CONFLICT_DIFFERENCE_CHANGED: one with other figures by now, or gone': UNREACHABLE,
  }),
  ReopenDifference: operatorRpc(undefined, {
    'has an accepted one open again; again it changes nothing': UNREACHABLE,
    'NOT_FOUND_DIFFERENCE: difference_id unknown': (use) => use.call(use.rpc, { difference_id: UNKNOWN }),
  }),
});
