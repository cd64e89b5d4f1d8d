import { expect } from '@jest/globals';
import { rpc, service } from '../notation';

/** The reconciler, as each app that has one serves it; differences cannot be brought about from outside. */
export const reconciliation = service('ReconciliationService', {
  RunReconciliation: rpc(undefined, {
    'carries every check to the end of its pass and answers where each stands; safe to repeat': async (
      use,
    ) => {
      for (const _ of ['once', 'again']) {
        const checks = await use.list('RunReconciliation');
        expect(checks).not.toEqual([]);
        for (const check of checks) {
          expect(check).toMatchObject({ is_complete: true, completed_at: expect.any(String) });
          expect(check).not.toHaveProperty('failure');
        }
      }
    },
  }),
  ListDifferences: rpc(undefined, {
    'counts the differences that match and lists at most as many as asked for': async (use) => {
      const open = await use.call('ListDifferences', { is_open: true, limit: 100 });
      expect(open.differences).toHaveLength(Number(open.total_count));
      expect(await use.list('ListDifferences', { limit: 0 })).toEqual([]);
      const none = await use.call('ListDifferences', { check: 'no-such-check', limit: 100 });
      expect(none).toEqual({ differences: [], total_count: 0 });
    },
  }),
});
