// The lines of a new service in the tables that name every service; each goes after the text that `after` finds.

/** Where which line goes. */
export function entriesOf({ name, snake }) {
  const variable = `${snake.toUpperCase()}_DATABASE_PASSWORD`;
  const runtimeVariable = `${snake.toUpperCase()}_RUNTIME_PASSWORD`;
  const urlOf = (role, password) =>
    `postgresql://${role}:\${${password}:?run npm run secrets}@postgres:5432/${snake}`;
  return [
    { file: 'apps/local-platform/src/services.ts', after: /'notifier',\n/, text: `  '${name}',\n` },
    {
      file: 'apps/local-platform/src/services.ts',
      after: /\['orders-saga', 'scent-commerce', 'notifier'/,
      text: `, '${name}'`,
    },
    {
      file: 'apps/local-platform/src/postgres/databases.ts',
      after: /notifier: 'notifier',\n/,
      text: `  '${name}': '${snake}',\n`,
    },
    {
      file: 'apps/local-platform/src/pooler/pooler.ts',
      after: / {2}notifier: 5,\n/,
      text: `  '${name}': 2,\n`,
    },
    { file: 'apps/local-platform/project.json', after: /"notifier",\n/, text: `    "${name}",\n` },
    { file: 'deploy/project.json', after: /"notifier",\n/, text: `    "${name}",\n` },
    { file: 'deploy/src/app-names.ts', after: /'notifier',\n/, text: `  '${name}',\n` },
    {
      file: 'deploy/src/apps.ts',
      after: /secrets: \[\.\.\.REPLICATED_DATABASE, 'WEBHOOK_SECRET_KEYS', [^}]*\},\n/,
      text: `  {
    ...service,
    name: '${name}',
    about: 'new',
    calls: [],
    settings: {},
    secrets: ['DATABASE_URL', 'DATABASE_DIRECT_URL?'],
    reaches: ['postgres'],
    cpu: 200,
  },\n`,
    },
    { file: 'deploy/make-secrets.mjs', after: / {2}'notifier',\n/, text: `  '${name}',\n` },
    {
      file: 'deploy/postgres/init.sql',
      after: /CREATE ROLE notifier_runtime LOGIN PASSWORD :'password';\n/,
      text: `
\\getenv password ${variable}
CREATE ROLE ${snake} LOGIN PASSWORD :'password';
CREATE DATABASE ${snake} OWNER ${snake};
REVOKE ALL ON DATABASE ${snake} FROM PUBLIC;
\\getenv password ${runtimeVariable}
CREATE ROLE ${snake}_runtime LOGIN PASSWORD :'password';\n`,
    },
    {
      file: 'docker-compose.yml',
      after: / {6}notifier-migrate: \*migrated\n {6}kafka-access: \*migrated\n/,
      text: `
  ${name}:
    <<: *app
    image: &${name} partner-reseller/${name}:\${VERSION:-0.1.0}
    build: { context: ., dockerfile: deploy/Dockerfile, args: { APP: ${name} } }
    volumes: ['./deploy/.secrets/tls/${name}:/var/run/rpc-tls:ro']
    environment:
      <<: *rpc
      DATABASE_URL: ${urlOf(`${snake}_runtime`, runtimeVariable)}
    depends_on:
      ${name}-migrate: *migrated\n`,
    },
    {
      file: 'docker-compose.yml',
      after: / {6}DATABASE_RUNTIME_ROLE: notifier_runtime\n {4}depends_on: \*after-postgres\n/,
      text: `  ${name}-migrate:
    <<: *job
    image: *${name}
    environment:
      DATABASE_MIGRATION_URL: ${urlOf(snake, variable)}
      DATABASE_RUNTIME_ROLE: ${snake}_runtime
    depends_on: *after-postgres\n`,
    },
    {
      file: 'docker-compose.yml',
      after: / {6}NOTIFIER_RUNTIME_PASSWORD: .*\n/,
      text: [variable, runtimeVariable]
        .map((each) => `      ${each}: \${${each}:?run npm run secrets}\n`)
        .join(''),
    },
    {
      file: 'deploy/kubernetes/overlays/local/kustomization.yaml',
      after: / {2}- \{ name: notifier, envs: .*\n/,
      text: `  - { name: ${name}, envs: [.secrets/${name}.env] }\n`,
    },
    {
      file: 'deploy/kubernetes/overlays/local/kustomization.yaml',
      after: / {2}- name: notifier-rpc\n.*\n.*\n/,
      text: `  - name: ${name}-rpc
    options: { disableNameSuffixHash: true }
    files: [.secrets/${name}-rpc/tls.crt, .secrets/${name}-rpc/tls.key, .secrets/${name}-rpc/ca.crt]\n`,
    },
    {
      file: 'deploy/kubernetes/overlays/local/kustomization.yaml',
      after: / {2}- \{ name: notifier-migrate, envs: .*\n/,
      text: `  - { name: ${name}-migrate, envs: [.secrets/${name}-migrate.env] }\n`,
    },
    ...['', '/migrations'].map((part) => ({
      file: `deploy/kubernetes/overlays/example${part}/kustomization.yaml`,
      after: / {6}name: partner-reseller\/notifier,\n.*\n.*\n {4}\}\n/,
      text: `  - {
      name: partner-reseller/${name},
      newName: registry.example.com/partner-reseller/${name},
      newTag: 0.1.0,
    }\n`,
    })),
    {
      file: 'deploy/monitoring/prometheus.yml',
      after: /finance, orders-saga, scent-commerce, notifier,/,
      text: ` ${name},`,
    },
  ];
}
