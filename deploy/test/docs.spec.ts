import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { runBash, runWithFakes, samplesFor, type Sample } from '@reseller/testing';
import { parse } from 'yaml';
import type { Topic } from '../src/kafka-access';
import { checkCompose, checkDocker, checkKubectl, checkNpm } from './faked-calls';
import { containerOf, deploymentOf } from './manifests';
import { ROOT } from './settings';

const samples = samplesFor(__filename);
const topics = JSON.parse(readFileSync(path.join(ROOT, 'deploy/kafka/topics.json'), 'utf8')) as Topic[];
const withText = (part: string): Sample => {
  const found = samples.find(({ code }) => code.includes(part));
  if (!found) throw new Error(`no sample has ${part}`);
  return found;
};
const KAFKA = withText('kafka-topics.sh');
const REDIS = withText('users.acl');
const SECRET = withText('ExternalSecret');

const CHECKS: Readonly<Record<string, (args: readonly string[]) => void>> = {
  kubectl: checkKubectl,
  docker: checkDocker,
  npm: checkNpm,
  node: ([file = '']) => expect([file, existsSync(path.join(ROOT, file))]).toEqual([file, true]),
};
const fakes = { kubectl: 'fake output', docker: '', npm: 'op_fake', node: '' };

describe('the commands of the pages on deploying', () => {
  it.each(samples.filter((sample) => ![KAFKA, REDIS, SECRET].includes(sample)))(
    'when those of $page, line $line, are pasted, then they name only what the repository deploys',
    async ({ code }) => {
      const { calls } = await runWithFakes(code, { fakes });
      expect(calls.length).toBeGreaterThan(0);
      for (const [program = '', ...args] of calls) CHECKS[program]?.(args);
    },
  );

  it('when the runbook shows the same for Compose, then it names services that there are', () => {
    const { code } = samples.find(({ page }) => page.endsWith('runbook.md'))!;
    const commands = [...code.matchAll(/# npm run compose -- (.*)$/gm)].map(([, args = '']) =>
      args.split(' '),
    );
    expect(commands).toHaveLength(3);
    commands.forEach(checkCompose);
  });

  it('when the topics are made by hand, then all of them, and as the script beside them makes them', async () => {
    const tools = { 'kafka-topics.sh': '', 'kafka-configs.sh': '', 'kafka-acls.sh': '' };
    const env = { BROKER: 'kafka.example.com:9093', KAFKA_BOOTSTRAP: 'kafka.example.com:9093' };
    const shown = await runWithFakes(KAFKA.code, { fakes: tools, env, cwd: ROOT });
    const passwords = topics
      .map(({ writtenBy }) => writtenBy)
      .concat('notifier')
      .map((app) => [`${app.toUpperCase().replaceAll('-', '_')}_KAFKA_PASSWORD`, 'secret'] as const);
    // The script looks for its tools in one folder; the fakes stand on the PATH.
    const script = readFileSync(path.join(ROOT, 'deploy/kafka/access.sh'), 'utf8').replace(
      '"$tools/$tool"',
      '"$tool"',
    );
    const made = await runWithFakes(script, {
      fakes: tools,
      env: { ...env, ...Object.fromEntries(passwords), KAFKA_REPLICATION_FACTOR: '3' },
    });
    const words = (calls: string[][]): string[][] =>
      calls
        .filter(([program]) => program === 'kafka-topics.sh')
        .map((call) => call.filter((word) => word !== '--if-not-exists'));
    expect(shown.calls.map((call) => call[call.indexOf('--topic') + 1]).sort()).toEqual(
      topics.map(({ topic }) => topic).sort(),
    );
    words(shown.calls).forEach((call, at) =>
      expect(words(made.calls)[at]).toEqual(expect.arrayContaining(call)),
    );
  });

  it('when the password of Redis is put in, then the file has its hash', async () => {
    const { stdout } = await runBash(REDIS.code, { env: { REDIS_PASSWORD: 'a password' }, cwd: ROOT });
    const hash = createHash('sha256').update('a password').digest('hex');
    const file = readFileSync(path.join(ROOT, 'deploy/redis/users.acl'), 'utf8');
    expect(file).toContain('PASSWORD_SHA256');
    expect(stdout).toBe(file.replace('PASSWORD_SHA256', hash));
  });

  it('when External Secrets brings a Secret, then it is one that the app of this name reads', () => {
    const { kind, metadata } = parse(SECRET.code) as {
      kind: string;
      metadata: { name: string; namespace: string };
    };
    const { envFrom = [], env = [] } = containerOf(deploymentOf(metadata.name));
    const read = [
      ...envFrom.map(({ secretRef }) => secretRef?.name),
      ...env.map(({ valueFrom }) => valueFrom?.secretKeyRef?.name),
    ];
    expect([kind, metadata.namespace, read.includes(metadata.name)]).toEqual([
      'ExternalSecret',
      'partner-reseller',
      true,
    ]);
  });
});
