import { orderThrough } from '../drill/order-through';
import { strikePrimary, withCluster, type FailoverOptions } from '../failover/run-failover';
import { withBus } from '../kafka/bus';
import { EventWatch } from '../kafka/event-watch';
import { judgeEvents, strikeBrokers } from '../kafka/run-kafka-drill';
import { startPlatform } from '../platform/start-platform';

/** A broker of three and then the primary of PostgreSQL lose their power under one load; returns what is not as it must be. */
export function runPowerLosses(options: FailoverOptions): Promise<string[]> {
  return withBus('kafka', (kafka) =>
    withCluster(true, async (cluster) => {
      if (!kafka) throw new Error('there are no brokers');
      const platform = await startPlatform({ ...kafka.environment, POSTGRES_ADMIN_URL: cluster.adminUrl });
      process.env.PLATFORM_JSON = platform.file;
      const watch = await EventWatch.start(kafka);
      try {
        const noticed: string[] = [];
        const drill = { platform, ...options, untilHandled: () => kafka.untilHandled() };
        const { faults } = await orderThrough(drill, async (load) => {
          noticed.push(...(await strikeBrokers(load, 'kill', { ...options, cluster: kafka, watch })));
          return strikePrimary(load, 'kill', { ...options, cluster });
        });
        return [...noticed, ...faults, ...(await judgeEvents(watch))];
      } finally {
        await watch.stop();
        await platform.stop();
      }
    }),
  );
}
