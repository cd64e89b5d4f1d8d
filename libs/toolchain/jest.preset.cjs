// The one Jest set-up all projects share: TypeScript through SWC, workspace libraries by their source.
const { createHash } = require('node:crypto');
const path = require('node:path');

const root = path.resolve(__dirname, '../..');
const { paths } = require('../../tsconfig.base.json').compilerOptions;

/** Packages that ship ES modules only; Jest runs CommonJS, so SWC translates them too. */
const esmOnly = [
  '@clack/core',
  '@clack/prompts',
  'fast-string-truncated-width',
  'fast-string-width',
  'fast-wrap-ansi',
  'sisteransi',
  'jose',
  'oauth4webapi',
  'openid-client',
  'uuid',
  '@prisma/schema-engine-wasm',
  '@seriousme/openapi-schema-validator',
];

exports.projectConfig = (projectDirectory) => ({
  // Where Jest keeps what it has translated; one for all projects of a clone.
  id: createHash('sha256').update(root).digest('hex').slice(0, 32),
  cacheDirectory: path.join(root, 'node_modules/.cache/jest'),
  displayName: path.basename(projectDirectory),
  rootDir: projectDirectory,
  testMatch: ['<rootDir>/{src,test}/**/*.spec.ts'],
  testEnvironment: 'node',
  globalSetup: path.join(root, 'libs/toolchain/jest.global-setup.cjs'),
  globalTeardown: path.join(root, 'libs/toolchain/jest.global-teardown.cjs'),
  moduleNameMapper: Object.fromEntries(
    Object.entries(paths).map(([name, [target]]) => [`^${name}$`, path.join(root, target)]),
  ),
  transform: {
    '^.+\\.(t|m?j)s$': [
      path.join(root, 'libs/toolchain/jest-swc.cjs'),
      {
        jsc: { target: 'es2023', parser: { syntax: 'typescript' } },
        // Each file loads all that it needs anew, and most need a part of what a library's index names.
        module: { type: 'commonjs', lazy: true },
        sourceMaps: 'inline',
      },
    ],
  },
  transformIgnorePatterns: [`/node_modules/(?!(${esmOnly.join('|')})/)`],
  modulePathIgnorePatterns: ['<rootDir>/dist'],
  // Only an upper bound: a test that is slow because the machine is busy is not a failure.
  testTimeout: 120_000,
});
