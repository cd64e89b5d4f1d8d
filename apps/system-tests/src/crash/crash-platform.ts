import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startPlatform } from '../platform/start-platform';
import type { StartedPlatform } from '../platform/start-platform';
import { CrashFile } from './crash-file';

/** Short times for storms, so that a pause past the lease and a vendor's polls take seconds. */
export const SHORT_TIMES = {
  SAGA_LEASE_MS: '1500',
  VENDOR_RETRY_BASE_MS: '50',
  VENDOR_POLL_BASE_MS: '200',
  VENDOR_POLL_CAP_MS: '1000',
};

/** A platform of our own whose orders-saga dies where the crash file says. */
export interface CrashPlatform extends StartedPlatform {
  readonly crashFile: CrashFile;
}

/** Starts it and makes it the one that this process's clients read of (PLATFORM_JSON). */
export async function startCrashPlatform(env: Record<string, string> = {}): Promise<CrashPlatform> {
  const directory = mkdtempSync(path.join(tmpdir(), 'reseller-crash-'));
  const file = path.join(directory, 'crash-point');
  const platform = await startPlatform({ ...env, CRASH_POINT_FILE: file });
  process.env.PLATFORM_JSON = platform.file;
  const stop = async (): Promise<void> => {
    rmSync(directory, { recursive: true, force: true });
    await platform.stop();
  };
  return { ...platform, crashFile: new CrashFile(file), stop };
}
