import { describe, expect, it } from '@jest/globals';
import { eventually } from '@reseller/testing';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { PlatformFile, type PlatformDescription } from './platform-file';

const description = { pids: { finance: 1, gateway: 2 }, instances: {} } as PlatformDescription;

describe('PlatformFile', () => {
  it('when it cannot be written as a process starts again, then that is said once and it is written when it can', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'platform-file-'));
    const faults: string[] = [];
    const file = new PlatformFile(path.join(folder, 'platform.json'), ({ message }) => faults.push(message));
    try {
      file.publish(description);
      rmSync(folder, { recursive: true });
      file.replacePid('finance', 11);
      file.replacePid('gateway', 12);
      expect(faults).toEqual([expect.stringContaining('ENOENT')]);
      mkdirSync(folder);
      await eventually(() => expect(file.readStale()).toMatchObject({ pids: { finance: 11, gateway: 12 } }));
    } finally {
      file.remove();
      rmSync(folder, { recursive: true });
    }
  });
});
