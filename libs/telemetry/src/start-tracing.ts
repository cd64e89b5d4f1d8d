import type { Tracing, TracingSettings } from './tracing-settings';

let isOn = false;

/** Whether this process traces: what would be built for spans alone may be left out when not. */
export function isTracing(): boolean {
  return isOn;
}

/** Loads the tracing SDK, which is not loaded otherwise, and has every span from now on sent to the collector. */
export async function startTracing(settings: TracingSettings): Promise<Tracing> {
  const { startSdk } = await import('./tracing-sdk');
  const sdk = startSdk(settings);
  isOn = true;
  return {
    async stop() {
      isOn = false;
      await sdk.stop();
    },
  };
}
