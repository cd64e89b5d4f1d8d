import path from 'node:path';
import { startPlatform } from '../../src/platform/start-platform';
import type { StartedPlatform } from '../../src/platform/start-platform';
import { endIdleConnections } from './end-idle-connections';

/** The documentation as an image shows it, whatever this clone has built besides. */
const PARTNERS_SITE = path.resolve(__dirname, '../../../../dist/partners-site');

declare global {
  var startedPlatform: StartedPlatform | undefined;
}

/** Starts the platform that all spec files share, unless PLATFORM_JSON names the file of a running one. */
async function setUp(): Promise<void> {
  endIdleConnections();
  if (process.env.PLATFORM_JSON) return;
  const platform = await startPlatform({ DOCS_SITE_DIR: PARTNERS_SITE });
  globalThis.startedPlatform = platform;
  process.env.PLATFORM_JSON = platform.file;
  process.env.REMEMBER_SECRETS_OF = platform.file;
}

module.exports = setUp;
