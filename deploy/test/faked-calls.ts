import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs, type ParseArgsOptionsConfig } from 'node:util';
import { APP_NAMES } from '../src/app-names';
import { compose } from './compose';
import { dockerfile } from './dockerfile';
import { deployments, everything, ofKind } from './manifests';
import { ROOT } from './settings';

// Each function throws where a call of a program that no test machine has names what the repository does not deploy.

const text = { type: 'string' } as const;
const flag = { type: 'boolean' } as const;

interface Service {
  metadata: { name: string };
  spec: { ports: { port: number }[] };
}
const services = ofKind<Service>(everything, 'Service');
const [namespace] = ofKind<{ metadata: { name: string } }>(everything, 'Namespace');

function mustHave(what: string, known: readonly string[], name = ''): void {
  if (!known.includes(name))
    throw new Error(`there is no ${what} ${name || '(none named)'}, but ${known.join(', ')}`);
}

/** A command of an app: its first word is a file of the app's image, and the flags after it are options of that program. */
function checkAppCommand(app: string, [file = '', ...args]: readonly string[]): void {
  const source = path.join(ROOT, 'apps', app, 'src/commands', file.replace(/\.js$/, '.ts'));
  if (!existsSync(source)) throw new Error(`the image of ${app} has no ${file}`);
  const options = readFileSync(source, 'utf8');
  for (const [, name = ''] of args
    .map((arg) => /^--([\w-]+)/.exec(arg) ?? [])
    .filter(({ length }) => length > 0))
    if (!new RegExp(`\\b'?${name}'?: \\{ type:`).test(options))
      throw new Error(`${file} of ${app} takes no --${name}`);
}

/** What may follow `kubectl -n <namespace>`, each with its options. */
const VERBS: Readonly<Record<string, ParseArgsOptionsConfig>> = {
  apply: { filename: { ...text, short: 'f' } },
  logs: { since: text },
  'rollout restart': {},
  scale: { replicas: text },
  'port-forward': {},
  exec: {},
  'create secret generic': { 'from-file': text, 'dry-run': text, output: { ...text, short: 'o' } },
};

/** Holds a call of kubectl to the manifests. */
export function checkKubectl(call: readonly string[]): void {
  const end = call.indexOf('--');
  const [args, command] = end < 0 ? [[...call], []] : [call.slice(0, end), call.slice(end + 1)];
  if (args[0] === '-n') mustHave('namespace', [namespace?.metadata.name ?? ''], args.splice(0, 2)[1]);
  const verb = Object.keys(VERBS).find((each) => `${args.join(' ')} `.startsWith(`${each} `));
  if (!verb) throw new Error(`nothing is known of kubectl ${args.join(' ')}`);
  const rest = args.slice(verb.split(' ').length);
  const { values, positionals } = parseArgs({
    args: rest,
    options: VERBS[verb] ?? {},
    allowPositionals: true,
  });
  const [subject = '', port] = positionals;
  if (verb === 'create secret generic') return checkSecret(subject, String(values['from-file']));
  if (verb === 'apply') return mustHave('file', ['-'], String(values['filename']));
  const [kind, name = ''] = subject.split('/');
  mustHave('kind', ['deploy', 'deployment', 'service'], kind);
  const ports = kind === 'service' ? portsOfService(name) : portsOfDeployment(name);
  if (verb === 'port-forward') mustHave(`port of ${subject}`, ports, port);
  if (verb === 'exec') {
    mustHave('program', ['node'], command[0]);
    checkAppCommand(name, command.slice(1));
  }
}

function portsOfService(name: string): string[] {
  mustHave(
    'service',
    services.map((one) => one.metadata.name),
    name,
  );
  const found = services.find((one) => one.metadata.name === name);
  return (found?.spec.ports ?? []).map(({ port }) => String(port));
}

function portsOfDeployment(name: string): string[] {
  mustHave(
    'deployment',
    deployments.map((one) => one.metadata.name),
    name,
  );
  const found = deployments.find((one) => one.metadata.name === name);
  return (found?.spec.template.spec.containers[0]?.ports ?? []).map(({ containerPort }) =>
    String(containerPort),
  );
}

/** A Secret is one that a pod mounts, and is made of the files of that app. */
function checkSecret(name: string, files: string): void {
  const mounts = deployments.flatMap(({ metadata, spec }) =>
    (spec.template.spec.volumes ?? []).map(({ secret }) => ({
      app: metadata.name,
      secret: secret?.secretName,
    })),
  );
  mustHave(
    'mounted secret',
    mounts.map(({ secret }) => secret ?? ''),
    name,
  );
  const { app } = mounts.find(({ secret }) => secret === name)!;
  mustHave('folder of its files', [`deploy/.secrets/tls/${app}`], files);
}

const COMPOSE: Readonly<Record<string, ParseArgsOptionsConfig>> = {
  up: {
    build: flag,
    wait: flag,
    detach: { ...flag, short: 'd' },
    scale: { ...text, multiple: true },
    'no-recreate': flag,
  },
  run: { rm: flag, volume: { ...text, short: 'v' } },
  logs: { since: text },
  restart: {},
};

/** Holds what follows `docker compose` to docker-compose.yml. */
export function checkCompose([verb = '', ...args]: readonly string[]): void {
  mustHave('command of Compose', Object.keys(COMPOSE), verb);
  const names = Object.keys(compose.services);
  // What comes after the service that is run is the service's own.
  const service = args.findIndex((arg) => names.includes(arg));
  if (verb === 'run' && service < 0) throw new Error(`no service is run by docker compose ${args.join(' ')}`);
  const own = verb === 'run' && service >= 0 ? args.slice(0, service + 1) : args;
  const { values, positionals } = parseArgs({
    args: [...own],
    options: COMPOSE[verb] ?? {},
    allowPositionals: true,
  });
  for (const name of positionals) mustHave('service', names, name);
  for (const scaled of (values['scale'] ?? []) as string[]) mustHave('service', names, scaled.split('=')[0]);
  if (verb === 'run') checkAppCommand(positionals[0] ?? '', args.slice(service + 1));
}

/** Holds a call of docker to the Dockerfile and to the names of the images in the manifests. */
export function checkDocker([verb = '', ...args]: readonly string[]): void {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: {
      file: { ...text, short: 'f' },
      tag: { ...text, short: 't' },
      'build-arg': { ...text, multiple: true },
    },
    allowPositionals: true,
  });
  mustHave('command of docker', ['build', 'push'], verb);
  const image = verb === 'build' ? values.tag : positionals[0];
  const [, app = '', version] = /partner-reseller\/([\w-]+):([\d.]+)$/.exec(image ?? '') ?? [];
  mustHave(
    'image',
    deployments.map(({ spec }) => spec.template.spec.containers[0]?.image ?? ''),
    `partner-reseller/${app}:${version}`,
  );
  if (verb === 'push') return;
  mustHave('folder to build from', ['deploy/Dockerfile .'], `${values.file} ${positionals.join(' ')}`);
  const known = dockerfile.getARGs().map((each) => each.getProperty()?.getName() ?? '');
  const given = new Map((values['build-arg'] ?? []).map((each) => each.split('=') as [string, string]));
  for (const name of given.keys()) mustHave('build argument', known, name);
  mustHave('app', APP_NAMES, given.get('APP'));
  mustHave('argument APP of this image', [app], given.get('APP'));
  mustHave('argument VERSION of this image', [version ?? ''], given.get('VERSION'));
}

/** Holds a call of npm to the scripts of package.json, and one of Compose to docker-compose.yml. */
export function checkNpm(args: readonly string[]): void {
  const words = args.filter((arg) => arg !== '--silent');
  if (words.join(' ') === 'ci') return;
  const [run, script = '', , ...rest] = words;
  const { scripts } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>;
  };
  mustHave('command of npm', ['run'], run);
  mustHave('script', Object.keys(scripts), script);
  if (scripts[script]?.startsWith('docker compose ')) checkCompose(rest);
}
