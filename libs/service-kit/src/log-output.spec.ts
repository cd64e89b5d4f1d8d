import { describe, expect, it } from '@jest/globals';
import { execFileSync, spawn } from 'node:child_process';
import { closeSync, constants, mkdtempSync, openSync, readFileSync, readSync, rmSync } from 'node:fs';
import type { Writable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { eventually } from '@reseller/testing';
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

  it('when nobody reads the pipe, then nothing waits, and whoever reads it later gets what was kept, and how much was not', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'log-output-'));
    const pipe = path.join(folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
    // Reads nothing. It ends by itself, so that a write that waits for it fails and does not wait for ever.
    const reader = spawn('sh', ['-c', 'exec sleep 20 < "$0"', pipe], { stdio: 'ignore' });
    const writing = openSync(pipe, 'w');
    try {
      const losses: number[] = [];
      const output = logOutput(writing, (lines) => losses.push(lines));
      for (let n = 0; n < LINES; n += 1) output.write(lineOf(n));
      expect(reader.exitCode).toBeNull();
      const reading = openSync(pipe, constants.O_RDONLY | constants.O_NONBLOCK);
      let read = '';
      await eventually(() => {
        read += takeFrom(reading);
        expect(losses).toHaveLength(1);
      });
      read += takeFrom(reading);
      const kept = LINES - (losses[0] ?? 0);
      expect(kept).toBeGreaterThan(1_000);
      expect(read).toBe(Array.from({ length: kept }, (_, n) => lineOf(n)).join(''));
      closeSync(reading);
    } finally {
      reader.kill();
      closeSync(writing);
      rmSync(folder, { recursive: true });
    }
  });

  it('when nobody reads the socket, then likewise', async () => {
    // Reads nothing until it may. It ends by itself, so that a write that waits for it fails and does not wait for ever.
    const reader = spawn('timeout', ['20', 'sh', '-c', 'read go <&3; exec cat'], {
      stdio: ['pipe', 'pipe', 'inherit', 'pipe'],
    });
    try {
      const losses: number[] = [];
      const output = logOutput(waitingSocket(reader.stdin as Writable), (lines) => losses.push(lines));
      for (let n = 0; n < LINES; n += 1) output.write(lineOf(n));
      let read = '';
      reader.stdout?.setEncoding('latin1').on('data', (text) => (read += text));
      (reader.stdio[3] as Writable).write('go\n');
      await eventually(() => {
        expect(losses).toHaveLength(1);
        expect(read).toBe(Array.from({ length: LINES - (losses[0] ?? 0) }, (_, n) => lineOf(n)).join(''));
      });
      expect(losses[0]).toBeLessThan(1_000);
    } finally {
      reader.kill();
    }
  });
});

/** A socket as a process gets it from journald: a write waits for its reader, which Node.js sets by its inner handle alone. */
function waitingSocket(socket: Writable): number {
  const { _handle: handle } = socket as unknown as {
    _handle: { fd: number; setBlocking(isBlocking: boolean): number };
  };
  handle.setBlocking(true);
  return handle.fd;
}

const LINES = 2_000;
const lineOf = (n: number): string => `${String(n).padEnd(1_023, 'x')}\n`;

/** What is in a pipe now. */
function takeFrom(reading: number): string {
  const buffer = Buffer.alloc(64 * 1_024);
  let taken = '';
  try {
    for (;;) {
      const length = readSync(reading, buffer);
      if (length === 0) return taken;
      taken += buffer.toString('latin1', 0, length);
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
    return taken;
  }
}
