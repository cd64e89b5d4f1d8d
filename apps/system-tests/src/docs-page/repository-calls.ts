import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { findRoot } from '../platform/start-platform';
import { PROGRAMS } from '../programs';

// Each function throws where a call names what the repository has not.

const root = findRoot();
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');
const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
const projects = new Map(
  globSync('{apps/*,libs/*,deploy}/project.json', { cwd: root })
    .map((file) => JSON.parse(read(file)) as { name: string; targets?: object })
    .map(({ name, targets = {} }) => [name, Object.keys(targets)] as const),
);

/** Names that a page makes up, for what its reader is to add. */
const MADE_UP = ['gift-card'];

function mustHave(what: string, known: Iterable<string>, name = ''): void {
  const names = [...known];
  if (!names.includes(name))
    throw new Error(`there is no ${what} ${name || '(none named)'}, but ${names.join(', ')}`);
}

/** A script of package.json, what it runs, and what that takes. */
function checkNpm([verb = '', ...words]: readonly string[]): void {
  const [script = '', end, ...args] = verb === 'run' ? words : [verb, ...words];
  mustHave('script', Object.keys(scripts), script);
  if (end !== undefined) mustHave('word between a script and its arguments', ['--'], end);
  const [program = '', ...given] = (scripts[script] ?? '')
    .split(' ')
    .filter((word) => !/^[A-Z_]+=/.test(word));
  mustHave('check of program', Object.keys(CHECKS), program);
  CHECKS[program]?.([...given, ...args]);
}

/** A file of the repository, or a program of system-tests, with options that it knows. */
function checkNode([file = '', ...args]: readonly string[]): void {
  if (file === 'dist/apps/system-tests/main.js') {
    const [name = '', ...options] = args;
    mustHave('program of system-tests', Object.keys(PROGRAMS), name);
    // The work that this returns is not begun.
    PROGRAMS[name]?.(options);
    return;
  }
  const built = /^dist\/apps\/([\w-]+)\/main\.js$/.exec(file)?.[1];
  const source = built ? `apps/${built}/src/main.ts` : file;
  if (!existsSync(path.join(root, source))) throw new Error(`there is no ${source}`);
  for (const [, flag = ''] of args.join(' ').matchAll(/(?:^| )--([\w-]+)/g))
    if (!new RegExp(`\\b${flag}\\b`).test(read(source))) throw new Error(`${source} takes no --${flag}`);
  const [app] = args.filter((arg) => /^[a-z-]+$/.test(arg) && !arg.startsWith('-'));
  if (app !== undefined) mustHave('app', globSync('*', { cwd: path.join(root, 'apps') }), app);
}

/** A configuration of Jest, and patterns of which each finds a test. */
function checkJest(args: readonly string[]): void {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: { config: { type: 'string', short: 'c' } },
    allowPositionals: true,
  });
  const config = values.config ?? '';
  if (!existsSync(path.join(root, config))) throw new Error(`there is no ${config}`);
  const specs = globSync(`${path.dirname(config)}/{src,test}/**/*.spec.ts`, { cwd: root });
  for (const pattern of positionals.filter((each) => !MADE_UP.includes(each)))
    if (!specs.some((file) => new RegExp(pattern).test(file)))
      throw new Error(`${config} has no test ${pattern}`);
}

/** `run project:target`, or `run-many` of targets of projects. */
function checkNx([verb = '', ...args]: readonly string[]): void {
  mustHave('command of Nx', ['run', 'run-many'], verb);
  if (verb === 'run') {
    const [project = '', target] = args[0]?.split(':') ?? [];
    mustHave('project', projects.keys(), project);
    return mustHave(`target of ${project}`, projects.get(project) ?? [], target);
  }
  const [, target = ''] = /-t (\S+)/.exec(args.join(' ')) ?? [];
  const named = (args.includes('-p') ? args.slice(args.indexOf('-p') + 1) : []) as readonly string[];
  mustHave('target', new Set([...projects.values()].flat()), target);
  for (const project of named) {
    mustHave('project', projects.keys(), project);
    // A project gets its target test from nx.json's defaults; the others name their own.
    mustHave(`target of ${project}`, projects.get(project) ?? [], target);
  }
}

function checkNpx([program = '', ...args]: readonly string[]): void {
  mustHave('program that npx runs here', ['jest', 'nx'], program);
  CHECKS[program]?.(args);
}

/** Rules and their tests, which are files. */
function checkPromtool([verb = '', what, ...files]: readonly string[]): void {
  mustHave('command of promtool', ['check', 'test'], verb);
  mustHave('subject', ['rules'], what);
  const missing = files.filter((file) => !existsSync(path.join(root, file)));
  if (missing.length > 0) throw new Error(`there is no ${missing.join(', ')}`);
}

const CHECKS: Readonly<Record<string, (args: readonly string[]) => void>> = {
  jest: checkJest,
  node: checkNode,
  npm: checkNpm,
  npx: checkNpx,
  nx: checkNx,
  promtool: checkPromtool,
};

/** Throws where a call of a program of the repository names what is not there: a script, a file, a target, an option. */
export function checkRepositoryCall([program = '', ...args]: readonly string[]): void {
  mustHave('program', Object.keys(CHECKS), program);
  CHECKS[program]?.(args);
}

/** Throws for a variable that nothing in the repository reads. */
export function checkVariable(name: string): void {
  const sources = globSync('{apps,libs}/*/{,src/**/,test/**/}*.{ts,mjs,cjs}', { cwd: root });
  if (!sources.some((file) => new RegExp(`\\b${name}\\b`).test(read(file))))
    throw new Error(`nothing reads ${name}`);
}
