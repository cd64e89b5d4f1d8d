import { startPlatform } from '../../src/platform/start-platform';
import type { StartedPlatform } from '../../src/platform/start-platform';

declare global {
  var startedPlatform: StartedPlatform | undefined;
}

/** Starts the platform that all spec files share, unless PLATFORM_JSON names the file of a running one. */
async function setUp(): Promise<void> {
  if (process.env.PLATFORM_JSON) return;
  const platform = await startPlatform();
  globalThis.startedPlatform = platform;
  process.env.PLATFORM_JSON = platform.file;
  process.env.REMEMBER_SECRETS_OF = platform.file;
}

module.exports = setUp;
