import path from 'node:path';
import { Agent, setGlobalDispatcher } from 'undici';
import { startPlatform } from '../../src/platform/start-platform';
import type { StartedPlatform } from '../../src/platform/start-platform';

/** The documentation as an image shows it, whatever this clone has built besides. */
const PARTNERS_SITE = path.resolve(__dirname, '../../../../dist/partners-site');

declare global {
  var startedPlatform: StartedPlatform | undefined;
}

/**
 * The edges end a connection that stood idle for 65 s, and say so. On a busy machine whoever uses one up to its last second finds it
 * ended, which fetch reports and does not send again.
 */
const LONGEST_IDLE_MS = 10_000;

/** Starts the platform that all spec files share, unless PLATFORM_JSON names the file of a running one. */
async function setUp(): Promise<void> {
  setGlobalDispatcher(new Agent({ keepAliveMaxTimeout: LONGEST_IDLE_MS }));
  if (process.env.PLATFORM_JSON) return;
  const platform = await startPlatform({ DOCS_SITE_DIR: PARTNERS_SITE });
  globalThis.startedPlatform = platform;
  process.env.PLATFORM_JSON = platform.file;
  process.env.REMEMBER_SECRETS_OF = platform.file;
}

module.exports = setUp;
