// Who may import whom inside an app, and that nobody imports in a circle: the rules of dependency-cruiser, which
// check-dependencies.mjs runs. Who may import whom between projects is Nx's rule (oxlint.config.mts).
import { fileURLToPath } from 'node:url';

/** Product code; tests may import anything of their app. */
const app = '^apps/[^/]+/src/';
const tests = '\\.spec\\.ts$';
const domain = '^apps/[^/]+/src/.*domain/';
const adapters = '\\.(handler|consumer|mapper)\\.ts$';
const feature = `^apps/([^/]+)/src/(.+)/[^/]+`;
const wiring = '[/.]container\\.ts$';
/** What creates one feature for the container: createStatements, createDelivery. */
const featureWiring = '/create-[^/]+\\.ts$';
const orders = '^apps/orders-saga/src';

const from = (path, ...pathNot) => ({ path, pathNot: [tests, ...pathNot] });

/** Rules by name: what is forbidden, from which files, to which. */
const rules = {
  'no-circle': [
    'Files that import each other have no bottom to read from: move what both need into a file of its own.',
    { pathNot: '/generated/' },
    { circular: true },
  ],
  'domain-is-pure': [
    'A domain file imports domain files, kernel and contracts only: what it needs from outside is an argument.',
    from(domain),
    {
      path: '^(apps|libs)/',
      pathNot: ['/domain/', '^libs/(contracts|errors|money|presenters)/src/'],
      // The type of an argument is no I/O.
      dependencyTypesNot: ['type-only'],
    },
  ],
  'domain-does-no-io': [
    'A domain file does no I/O: what it needs from outside is an argument.',
    from(domain),
    {
      path: [
        '^(node:)?(child_process|dgram|dns|fs|http|http2|https|net|timers|tls|worker_threads)(/|$)',
        'node_modules/(@grpc|@prisma|express|ioredis|kafkajs|pg|pino|undici)/',
      ],
    },
  ],
  'handlers-are-wired': [
    'Only the container, or what creates a feature for it, imports a handler or consumer: what two share is a use case.',
    from(app, wiring, featureWiring),
    { path: '\\.(handler|consumer)\\.ts$' },
  ],
  'features-keep-their-handlers': [
    "A feature's own wiring imports its handlers; another feature never does.",
    from(feature),
    { path: '^apps/$1/src/.+\\.handler\\.ts$', pathNot: '^apps/$1/src/$2/' },
  ],
  'repositories-are-passed-in': [
    'Handlers, consumers, mappers and the domain know a repository by its type at most: use cases call it.',
    from([`${app}.*${adapters}`, domain]),
    { path: '\\.repository\\.ts$', dependencyTypesNot: ['type-only'] },
  ],
  'features-keep-their-repositories': [
    "A handler, consumer or mapper knows no other feature's repository: it calls that feature's use case.",
    from(`${feature}${adapters}`),
    { path: '\\.repository\\.ts$', pathNot: '^apps/$1/src/$2/' },
  ],
  'repositories-own-the-database-client': [
    'Only a repository or the container imports the Prisma client or pg.',
    from(
      app,
      wiring,
      '\\.repository\\.ts$',
      '/generated/',
      '/src/commands/',
      '^apps/(local-platform|system-tests)/',
    ),
    { path: '/src/generated/prisma/|node_modules/(pg|@prisma)/', dependencyTypesNot: ['type-only'] },
  ],
  'saga-knows-no-product': [
    'The saga engine imports nothing of a product but its interface.',
    from(`${orders}/saga/`),
    { path: `${orders}/products/`, pathNot: `${orders}/products/product\\.ts$` },
  ],
  'products-stand-alone': [
    'A product imports no other product, only what products share.',
    from(`${orders}/products/([^/]+)/`),
    {
      path: `${orders}/products/[^/]+/`,
      pathNot: [`${orders}/products/$1/`, `${orders}/products/(steps|vendor-order)/`],
    },
  ],
  'the-container-is-on-top': [
    'Only service.ts imports the container, and only main.ts imports service.ts.',
    from(app, '/src/(main|service)\\.ts$', '/src/commands/'),
    { path: '^apps/[^/]+/src/(main|service|container)\\.ts$' },
  ],
};

export default {
  forbidden: Object.entries(rules).map(([name, [comment, fromFiles, to]]) => ({
    name,
    comment,
    severity: 'error',
    from: fromFiles,
    to,
  })),
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)dist/|lint-canary/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: fileURLToPath(new URL('../../tsconfig.base.json', import.meta.url)) },
    skipAnalysisNotInRules: true,
  },
};
