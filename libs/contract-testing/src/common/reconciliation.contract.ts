import { expect } from '@jest/globals';
import type { ServiceContract } from '../contract';
import { list } from '../message';

/** The reconciler, as each app that has one serves it; differences cannot be brought about from outside. */
export const reconciliation: ServiceContract = {
  service: 'ReconciliationService',
  speaksFor: 'whom the request names',
  rpcs: {
    RunReconciliation: {
      promises: {
        'carries every check to the end of its pass and answers where each stands; safe to repeat': async (
          world,
        ) => {
          for (const _ of ['once', 'again']) {
            const checks = list(await world.call('ReconciliationService.RunReconciliation'), 'checks');
            expect(checks.length).toBeGreaterThan(0);
            for (const check of checks) {
              expect(check).toMatchObject({ is_complete: true, completed_at: expect.any(String) });
              expect(check).not.toHaveProperty('failure');
            }
          }
        },
      },
    },
    ListDifferences: {
      promises: {
        'counts the differences that match and lists at most as many as asked for': async (world) => {
          const open = await world.call('ReconciliationService.ListDifferences', {
            is_open: true,
            limit: 100,
          });
          expect(list(open, 'differences')).toHaveLength(Number(open['total_count']));
          const none = await world.call('ReconciliationService.ListDifferences', { limit: 0 });
          expect(none['differences']).toEqual([]);
          const unknown = await world.call('ReconciliationService.ListDifferences', {
            check: 'no-such-check',
            limit: 100,
          });
          expect(unknown).toEqual({ differences: [], total_count: 0 });
        },
      },
    },
  },
};
