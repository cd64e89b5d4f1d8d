import { copyFileSync, cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { inVenv, venv } from './generators';
import type { Command } from './command';

/** Where a client was made, where its seller's code is, and a folder for what is built of both. */
export interface Bench {
  readonly client: string;
  readonly seller: string;
  readonly built: string;
}

/** How a client is compiled, and how its seller is then run. */
interface Build {
  compile(bench: Bench): readonly Command[];
  sell?(bench: Bench): Command;
}

/** Installs what a client in Python needs and compiles all of it, with its seller. */
const python = (requirements: (bench: Bench) => readonly string[]): Build => ({
  compile: (bench) => [
    ...venv(bench.built),
    {
      program: inVenv(bench.built, 'pip'),
      args: ['install', '--quiet', ...requirements(bench)],
      cwd: bench.built,
    },
    {
      program: inVenv(bench.built, 'python'),
      // Of what webhooks send openapi-generator writes calls without types, which is no Python; nothing imports them.
      args: ['-m', 'compileall', '-q', '-f', '-x', 'webhook_events_api', bench.client],
      cwd: bench.built,
    },
  ],
  sell: ({ client, seller, built }) => ({
    program: inVenv(built, 'python'),
    args: [seller],
    cwd: built,
    env: { PYTHONPATH: client, PYTHONDONTWRITEBYTECODE: '1' },
  }),
});

const java: Build = {
  compile: ({ client, seller }) => {
    copyFileSync(seller, path.join(client, 'src/main/java/Sell.java'));
    return [
      {
        program: 'mvn',
        args: [
          '--batch-mode',
          '--quiet',
          'compile',
          'dependency:build-classpath',
          '-Dmdep.outputFile=classpath.txt',
        ],
        cwd: client,
      },
    ];
  },
  sell: ({ client }) => {
    const jars = readFileSync(path.join(client, 'classpath.txt'), 'utf8').trim();
    return {
      program: 'java',
      args: ['-classpath', ['target/classes', jars].join(path.delimiter), 'Sell'],
      cwd: client,
    };
  },
};

const go: Build = {
  compile: ({ client, seller, built }) => {
    const files = { recursive: true, filter: (file: string) => !/(go\.mod|go\.sum|_test\.go)$/.test(file) };
    mkdirSync(path.join(built, 'reseller'));
    cpSync(client, path.join(built, 'reseller'), files);
    copyFileSync(seller, path.join(built, 'sell.go'));
    writeFileSync(path.join(built, 'go.mod'), 'module strangers\n\ngo 1.23\n');
    return [
      { program: 'go', args: ['mod', 'tidy'], cwd: built },
      { program: 'go', args: ['vet', './...'], cwd: built },
      { program: 'go', args: ['build', '-o', 'sell', '.'], cwd: built },
    ];
  },
  sell: ({ built }) => ({ program: path.join(built, 'sell'), args: [], cwd: built }),
};

/** PHP compiles nothing ahead: each file is parsed. */
const PARSE_ALL = `foreach (new RecursiveIteratorIterator(new RecursiveDirectoryIterator('lib')) as $file)
  if ($file->getExtension() === 'php') token_get_all(file_get_contents($file), TOKEN_PARSE);`;

/** The ways to build, by the name of the client. */
export const BUILDS: Readonly<Record<string, Build>> = {
  python: python(({ client }) => ['--requirement', path.join(client, 'requirements.txt')]),
  java,
  go,
  csharp: {
    compile: ({ client }) => [{ program: 'dotnet', args: ['build', '--nologo', 'src'], cwd: client }],
  },
  php: {
    compile: ({ client }) => [{ program: 'php', args: ['-r', PARSE_ALL], cwd: client }],
  },
  'openapi-python-client': python(() => ['httpx==0.28.1', 'attrs==26.1.0']),
};
