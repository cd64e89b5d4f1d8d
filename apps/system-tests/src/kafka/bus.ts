import { KafkaCluster } from './kafka-cluster';

const BUSES = ['postgresql', 'kafka'] as const;

/** Which event bus a drill's platform is on. */
export type Bus = (typeof BUSES)[number];

/** Reads --bus; PostgreSQL where it is not there. */
export function busOf(text = 'postgresql'): Bus {
  const found = BUSES.find((bus) => bus === text);
  if (!found) throw new Error(`--bus=${text}: expected ${BUSES.join(', ')}`);
  return found;
}

/** Has `work` run beside a Kafka of three brokers where that is the bus, and without one where it is not. */
export async function withBus<T>(
  bus: Bus,
  work: (kafka: KafkaCluster | undefined) => Promise<T>,
): Promise<T> {
  if (bus === 'postgresql') return work(undefined);
  const kafka = await KafkaCluster.start();
  try {
    return await work(kafka);
  } finally {
    await kafka.stop();
  }
}
