import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const ROOT = path.resolve(__dirname, '../../..');
const SCRIPT = path.join(ROOT, 'libs/toolchain/check-proto-breaking.mjs');
const BUF_YAML = 'version: v2\nbreaking:\n  use:\n    - WIRE_JSON\n';
const schema = (fields: string): string =>
  `syntax = "proto3";\npackage shop.v1;\nmessage Cart {\n${fields}\n}\n`;
const OLD = schema('  string id = 1;');
const ADDED = schema('  string id = 1;\n  string note = 2;');
const RENUMBERED = schema('  string id = 3;');
const NOTE_RENUMBERED = schema('  string id = 1;\n  string note = 3;');

describe('the check of breaking changes', () => {
  let folder: string;
  const run = (command: string, ...args: string[]): { status: number | null; text: string } => {
    const { status, stdout, stderr } = spawnSync(command, args, {
      cwd: folder,
      encoding: 'utf8',
      env: {
        ...process.env,
        PATH: `${path.join(ROOT, 'node_modules/.bin')}:${process.env['PATH'] ?? ''}`,
        GIT_CONFIG_GLOBAL: '/dev/null',
      },
    });
    return { status, text: `${stdout}${stderr}` };
  };
  const check = (...args: string[]) => run(process.execPath, SCRIPT, ...args);
  const commit = (proto: string): void => {
    writeFileSync(path.join(folder, 'proto/shop.proto'), proto);
    run('git', 'add', '-A');
    run('git', '-c', 'user.name=n', '-c', 'user.email=e', 'commit', '-qm', 'change');
  };

  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'reseller-breaking-'));
    mkdirSync(path.join(folder, 'proto'));
    writeFileSync(path.join(folder, 'proto/buf.yaml'), BUF_YAML);
    writeFileSync(path.join(folder, 'proto/shop.proto'), OLD);
    run('buf', 'build', 'proto', '-o', 'proto/baseline.binpb');
    run('git', 'init', '-q', '-b', 'main');
    commit(OLD);
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('when main is all there is, with one commit, then the baseline still finds a break', () => {
    expect(check()).toMatchObject({ status: 0 });
    run('git', '-c', 'user.name=n', '-c', 'user.email=e', 'commit', '--amend', '-qm', 'one');
    writeFileSync(path.join(folder, 'proto/shop.proto'), RENUMBERED);
    const { status, text } = check();
    expect(status).toBe(1);
    expect(text).toContain('BREAKS the released baseline');
  });

  it('when main takes back what it added a commit ago, then that is found, though it was never released', () => {
    commit(ADDED);
    expect(check()).toMatchObject({ status: 0 });
    commit(NOTE_RENUMBERED);
    const { status, text } = check();
    expect(status).toBe(1);
    expect(text).toMatch(/BREAKS commit [0-9a-f]{7}/);
  });

  it('when a branch breaks what main has, then that is found, however many commits ago it did', () => {
    commit(ADDED);
    run('git', 'checkout', '-qb', 'feature');
    commit(NOTE_RENUMBERED);
    commit(`${NOTE_RENUMBERED}// later\n`);
    expect(check()).toMatchObject({ status: 1 });
  });

  it('when a break is to be released, then it must be accepted in so many words', () => {
    commit(RENUMBERED);
    expect(check('--release')).toMatchObject({ status: 1 });
    expect(check('--release', '--accept-breaks')).toMatchObject({ status: 0 });
    commit(RENUMBERED);
    commit(`${RENUMBERED}// later\n`);
    expect(check()).toMatchObject({ status: 0 });
  });

  it('when the baseline is missing, then nothing passes', () => {
    rmSync(path.join(folder, 'proto/baseline.binpb'));
    expect(check()).toMatchObject({ status: 1 });
  });
});
