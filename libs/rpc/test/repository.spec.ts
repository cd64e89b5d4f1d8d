import { describe, expect, it } from '@jest/globals';
import { RPC_POLICIES } from '@reseller/contracts';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const apps = path.resolve(__dirname, '../../../apps');

interface Source {
  readonly app: string;
  readonly file: string;
  readonly text: string;
}

const sources: Source[] = readdirSync(apps, { recursive: true, encoding: 'utf8' })
  .map((file) => file.split(path.sep).join('/'))
  .filter((file) => /^[\w-]+\/src\/.*\.ts$/.test(file) && !/\.spec\.ts$|\/generated\//.test(file))
  .map((file) => ({
    app: file.split('/')[0] ?? '',
    file,
    text: readFileSync(path.join(apps, file), 'utf8'),
  }));

/** `app -> service` for each client of a service that an app makes: a row of its table, or a client by itself. */
const clients = sources.flatMap(({ app, text }) =>
  [...text.matchAll(/\b(\w+Service)Service,\s*(?:'[\w-]+'\]|config\.\w+_ADDRESS\b)/g)].map(
    ([, service]) => `${app} -> ${service}`,
  ),
);

describe('how the apps call each other', () => {
  it('when an app makes a client of a service, then the contract names it as a caller; and only such apps', () => {
    const named = Object.entries(RPC_POLICIES).flatMap(([rpc, { callers }]) =>
      callers.map((app) => `${app} -> ${rpc.split('/')[1]?.split('.').at(-1)}`),
    );
    expect(clients.length).toBeGreaterThan(30);
    expect([...new Set(clients)].sort()).toEqual([...new Set(named)].sort());
  });

  it('when an app makes a client, then it gives it a deadline, and the log, metrics and security of its process', () => {
    const made = sources.flatMap(({ file, text }) =>
      [...text.matchAll(/\bcreateRpcClients?\(/g)].map(({ index }) => ({
        file,
        call: argumentsAt(text, index),
      })),
    );
    expect(made.length).toBeGreaterThan(4);
    const careless = made.filter(
      ({ call }) =>
        !/\bdefaultDeadlineMs\b/.test(call) ||
        !/\bwiring\b|\blog\b[^]*\bmetrics\b[^]*\bsecurity\b/.test(call),
    );
    expect(careless).toEqual([]);
  });

  it('when an app speaks gRPC, then it does so through this library alone', () => {
    const past = sources.filter(({ text }) => /from '(@grpc\/grpc-js|grpc-health-check)'/.test(text));
    // Who attacks a service does not keep to our client.
    expect(past.map(({ file }) => file)).toEqual(['system-tests/src/attack/certificate-attacks.ts']);
  });

  it('when work outlives its caller, then it says so by detachCall, never by leaving the deadline out', () => {
    const hidden = sources.filter(({ text }) => /\b(deadlineAt|signal): undefined\b/.test(text));
    expect(hidden.map(({ file }) => file)).toEqual([]);
  });
});

/** A call's text up to its closing bracket. */
function argumentsAt(text: string, from: number): string {
  let depth = 0;
  for (let at = text.indexOf('(', from); at < text.length; at += 1) {
    if (text[at] === '(') depth += 1;
    if (text[at] === ')' && (depth -= 1) === 0) return text.slice(from, at + 1);
  }
  return text.slice(from);
}
