// The lines of a new service in the tables that name every service; each goes after the text that `after` finds.

/** Where which line goes. */
export function entriesOf({ name, snake }) {
  const variable = `${snake.toUpperCase()}_DATABASE_PASSWORD`;
  const url = `postgresql://${snake}:\${${variable}:?run npm run secrets}@postgres:5432/${snake}`;
  return [
    {
      file: 'libs/contracts/src/index.ts',
      after: /export \* from '\.\/gen\/reseller\/common\/v1\/reconciliation_service\.pb';\n/,
      text: `export * from './gen/reseller/${snake}/v1/${snake}_service.pb';\n`,
    },
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
    { file: 'apps/local-platform/project.json', after: /"notifier",\n/, text: `    "${name}",\n` },
    { file: 'deploy/project.json', after: /"notifier",\n/, text: `    "${name}",\n` },
    { file: 'deploy/src/app-names.ts', after: /'notifier',\n/, text: `  '${name}',\n` },
    {
      file: 'deploy/src/apps.ts',
      after: /secrets: \['DATABASE_URL', 'WEBHOOK_SECRET_KEYS', [^}]*\},\n/,
      text: `  {
    ...service,
    name: '${name}',
    about: 'new',
    calls: [],
    settings: {},
    secrets: ['DATABASE_URL'],
    reaches: ['postgres'],
    cpu: 200,
  },\n`,
    },
    { file: 'deploy/make-secrets.mjs', after: / {2}'notifier',\n/, text: `  '${name}',\n` },
    {
      file: 'deploy/postgres/init.sql',
      after: /REVOKE ALL ON DATABASE notifier FROM PUBLIC;\n/,
      text: `
\\getenv password ${variable}
CREATE ROLE ${snake} LOGIN PASSWORD :'password';
CREATE DATABASE ${snake} OWNER ${snake};
REVOKE ALL ON DATABASE ${snake} FROM PUBLIC;\n`,
    },
    {
      file: 'docker-compose.yml',
      after: / {6}notifier-migrate: \*migrated\n {6}kafka: \*healthy\n/,
      text: `
  ${name}:
    <<: *app
    image: &${name} partner-reseller/${name}:\${VERSION:-0.1.0}
    build: { context: ., dockerfile: deploy/Dockerfile, args: { APP: ${name} } }
    environment:
      <<: *traces
      DATABASE_URL: &${name}-database ${url}
    depends_on:
      ${name}-migrate: *migrated\n`,
    },
    {
      file: 'docker-compose.yml',
      after: / {4}environment: \{ DATABASE_URL: \*notifier-database \}\n {4}depends_on: \*after-postgres\n/,
      text: `  ${name}-migrate:
    <<: *job
    image: *${name}
    environment: { DATABASE_URL: *${name}-database }
    depends_on: *after-postgres\n`,
    },
    {
      file: 'docker-compose.yml',
      after: / {6}NOTIFIER_DATABASE_PASSWORD: .*\n/,
      text: `      ${variable}: \${${variable}:?run npm run secrets}\n`,
    },
    {
      file: 'deploy/kubernetes/overlays/local/kustomization.yaml',
      after: / {2}- \{ name: notifier, envs: .*\n/,
      text: `  - { name: ${name}, envs: [.secrets/${name}.env] }\n`,
    },
    {
      file: 'deploy/kubernetes/overlays/local/kustomization.yaml',
      after: / {2}- \{ name: notifier-migrate, envs: .*\n/,
      text: `  - { name: ${name}-migrate, envs: [.secrets/${name}-migrate.env] }\n`,
    },
    {
      file: 'deploy/monitoring/prometheus.yml',
      after: /finance, orders-saga, scent-commerce, notifier,/,
      text: ` ${name},`,
    },
  ];
}
