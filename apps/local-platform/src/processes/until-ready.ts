import type { Instance } from '../instances';

const LOOK_EVERY_MS = 20;

/**
 * Resolves once what people reach serves every request: a gateway listens while it still fetches what it refuses tokens by. Ends as well
 * when nobody waits any longer.
 */
export async function untilReady(instances: readonly Instance[], isStopping: () => boolean): Promise<void> {
  const edges = instances.filter(({ appPort }) => appPort !== undefined);
  await Promise.all(
    edges.map(async ({ httpPort }) => {
      while (!isStopping() && !(await isReady(httpPort)))
        await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
    }),
  );
}

async function isReady(httpPort: number): Promise<boolean> {
  const response = await fetch(`http://127.0.0.1:${httpPort}/readyz`).catch(() => undefined);
  await response?.body?.cancel();
  return response?.ok === true;
}
