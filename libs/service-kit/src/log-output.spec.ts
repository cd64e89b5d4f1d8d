import { describe, expect, it } from '@jest/globals';
import { mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { logOutput } from './log-output';

/** Linux's device on which no write ever has room. */
const FULL = '/dev/full';
const LINE = `${'x'.repeat(1023)}\n`;

describe('logOutput', () => {
  it('when the disk is full, then nothing is thrown, what was kept is written once there is room, and the rest is counted', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'log-output-'));
    const file = path.join(folder, 'service.log');
    try {
      const losses: number[] = [];
      const [disk, full] = [openSync(file, 'a'), openSync(FULL, 'w')];
      const output = logOutput(disk, (lines) => losses.push(lines));
      output.write('before\n');
      Object.assign(output, { fd: full });
      for (let n = 0; n < 1030; n += 1) output.write(LINE);
      await nextTurn();
      expect(losses).toEqual([]);
      Object.assign(output, { fd: disk });
      output.write('room\n');
      await nextTurn();
      output.write('after\n');
      await nextTurn();
      expect(losses).toEqual([7]);
      expect(readFileSync(file, 'utf8')).toBe(`before\n${LINE.repeat(1024)}after\n`);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
