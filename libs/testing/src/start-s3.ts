import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { findTestingFolder } from './find-testing-folder';
import { freePort } from './free-port';

/** An object store with the API of S3 of a test's own, on the same port and data through all its lives. */
export interface TestS3 {
  /** A service’s settings for its archive, in a bucket that is there; for a program in this process also to be set in process.env. */
  env: { ARCHIVE_URL: string; AWS_ENDPOINT_URL_S3: string } & Record<`AWS_${string}`, string>;
  /** Where the bucket's objects lie as files. */
  folder: string;
  /** Ends it without warning, as SIGKILL does. */
  kill(): Promise<void>;
  /** Brings it back after `kill`; resolves when it responds. */
  start(): Promise<void>;
  /** Ends it for good and removes its data. */
  remove(): Promise<void>;
}

const HEAP = ['-Xmx128m', '-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC', '-XX:-UsePerfData'];
const READY_LIMIT_MS = 60_000;
const BUCKET = 'archive';

interface Jars {
  jarsMissing(): string | undefined;
  fetchJars(): Promise<string>;
}

const home = (): string => findTestingFolder('s3');
const jars = (): Jars => createRequire(__filename)(path.join(home(), 'jars.cjs')) as Jars;

/** Why `startS3` would fail here; undefined when it would not. */
export const s3Missing = (): string | undefined => jars().jarsMissing();

/** Starts S3Proxy on files, which checks signatures as S3 does; about two seconds. It ends at the latest with this process. */
export async function startS3(): Promise<TestS3> {
  const missing = s3Missing();
  if (missing) throw new Error(missing);
  const classpath = path.join(await jars().fetchJars(), '*');
  const directory = mkdtempSync(path.join(tmpdir(), 'reseller-test-s3-'));
  const endpoint = `http://127.0.0.1:${await freePort()}`;
  const data = path.join(directory, 'data');
  mkdirSync(path.join(data, BUCKET), { recursive: true });
  const settings = path.join(directory, 's3proxy.conf');
  writeFileSync(settings, settingsOf(endpoint, data));
  const args = [...HEAP, `-Dlogback.configurationFile=${path.join(home(), 'logback.xml')}`, '-cp', classpath];
  let child: ChildProcess | undefined;
  const kill = async (): Promise<void> => {
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  };
  const start = async (): Promise<void> => {
    child = spawn('java', [...args, 'org.gaul.s3proxy.Main', '--properties', settings], { stdio: 'ignore' });
    await untilReady(endpoint);
  };
  const endWithUs = (): void => void child?.kill('SIGKILL');
  process.once('exit', endWithUs);
  await start();
  return {
    env: {
      ARCHIVE_URL: `s3://${BUCKET}/test`,
      AWS_ENDPOINT_URL_S3: endpoint,
      AWS_REGION: 'us-east-1',
      AWS_ACCESS_KEY_ID: IDENTITY,
      AWS_SECRET_ACCESS_KEY: SECRET,
    },
    folder: path.join(data, BUCKET),
    kill,
    start,
    remove: async () => {
      process.off('exit', endWithUs);
      await kill();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

const IDENTITY = 'tester';
const SECRET = 'not-a-secret';

const settingsOf = (endpoint: string, data: string): string =>
  Object.entries({
    's3proxy.endpoint': endpoint,
    's3proxy.authorization': 'aws-v2-or-v4',
    's3proxy.identity': IDENTITY,
    's3proxy.credential': SECRET,
    'jclouds.provider': 'filesystem-nio2',
    'jclouds.filesystem.basedir': data,
  })
    .map(([name, value]) => `${name}=${value}\n`)
    .join('');

async function untilReady(endpoint: string): Promise<void> {
  const until = performance.now() + READY_LIMIT_MS;
  while (!(await fetch(`${endpoint}/healthz`).catch(() => undefined))?.ok) {
    if (performance.now() > until) throw new Error('S3 for tests does not respond');
    await pause(50);
  }
}
