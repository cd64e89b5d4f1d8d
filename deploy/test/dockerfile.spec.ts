import { describe, expect, it } from '@jest/globals';
import { Arg, Copy, From } from 'dockerfile-ast';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { APP_NAMES } from '../src/app-names';
import { dockerfile, finalStage, imageCommand, imageEnvironment } from './dockerfile';
import { ROOT, settingsOf } from './settings';

const instructions = dockerfile.getInstructions();
const inFinalStage = finalStage();
const ignored = readFileSync(path.join(ROOT, '.dockerignore'), 'utf8')
  .split('\n')
  .filter((line) => /^[^#]/.test(line));

describe('the Dockerfile', () => {
  it('when its base images are read, then each is pinned to the Node.js that the tests run on', () => {
    const { devDependencies } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8')) as {
      devDependencies: Record<string, string>;
    };
    const images = instructions.filter((each) => each instanceof From).map((from) => from.getImage());
    expect(images).toEqual(['${NODE_IMAGE}', '${NODE_IMAGE}']);
    const [base] = instructions
      .filter((each) => each instanceof Arg)
      .map((arg) => arg.getProperty()?.getValue());
    expect(base?.replace(/@sha256:[0-9a-f]{64}$/, '@')).toBe(`node:${devDependencies['node']}-trixie-slim@`);
  });

  it('when it runs, then as a numeric user that is not root, stopped by SIGTERM, without a shell', () => {
    const user = inFinalStage.filter((each) => each.getKeyword() === 'USER').at(-1);
    expect(user?.getArgumentsContent()).toMatch(/^[1-9]\d{3,}:[1-9]\d{3,}$/);
    const after = inFinalStage.slice(inFinalStage.indexOf(user!) + 1).map((each) => each.getKeyword());
    expect(after.filter((keyword) => ['USER', 'RUN', 'COPY', 'ADD'].includes(keyword))).toEqual([]);
    expect(imageCommand('ENTRYPOINT')).toEqual([
      'node',
      '--max-semi-space-size=8',
      '--max-old-space-size-percentage=50',
    ]);
    expect(imageCommand('CMD')).toEqual(['main.js']);
    expect(inFinalStage.map((each) => each.toString())).toContain('STOPSIGNAL SIGTERM');
    expect(imageCommand('HEALTHCHECK')[0]).toBe('node');
  });

  it('when it copies, then from a stage that exists or from files that are there and reach the engine', () => {
    const stages = dockerfile.getFROMs().map((from) => from.getBuildStage());
    for (const copy of instructions.filter((each) => each instanceof Copy)) {
      const from = copy
        .getFlags()
        .find((flag) => flag.getName() === 'from')
        ?.getValue();
      if (from) {
        expect(stages).toContain(from);
        continue;
      }
      const sources = copy
        .getArguments()
        .slice(0, -1)
        .map((argument) => argument.getValue());
      for (const source of sources.filter((each) => each !== '.')) {
        expect([source, existsSync(path.join(ROOT, source))]).toEqual([source, true]);
        expect(ignored).toContain(`!${source}`);
      }
    }
    expect(instructions.filter((each) => each.getKeyword() === 'ADD')).toEqual([]);
  });

  it('when its arguments and variables are read, then none is a secret, and each of the image is a setting of an app', async () => {
    const args = instructions
      .filter((each) => each instanceof Arg)
      .map((each) => each.getProperty()?.getName());
    expect([...new Set(args)].sort()).toEqual(['APP', 'NODE_IMAGE', 'REVISION', 'VERSION']);
    const known = new Set(
      (await Promise.all(APP_NAMES.map(settingsOf))).flatMap((each) => Object.keys(each.shape)),
    );
    const variables = Object.keys(imageEnvironment());
    expect(variables.filter((name) => !known.has(name))).toEqual([]);
    expect(variables.filter((name) => /SECRET|KEY|TOKEN|PASSWORD|URL/.test(name))).toEqual([]);
  });

  it('when the engine is sent the folder, then nothing but what is named goes, and never settings or packages', () => {
    expect(ignored[0]).toBe('*');
    for (const pattern of ['**/node_modules', '**/.env*', '**/*.env', '**/.secrets', '**/.local*'])
      expect(ignored.indexOf(pattern)).toBeGreaterThan(ignored.findLastIndex((line) => line.startsWith('!')));
  });
});
