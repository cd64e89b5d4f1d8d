// Lint for the whole repository. Which project may import which is Nx's rule at the top; run it by `npm run lint`, since
// without a project graph that rule says nothing (libs/toolchain/lint-canary proves that it works). Who may import whom
// inside a project: libs/toolchain/dependency-rules.mjs.
import { defineConfig } from 'oxlint';

const kernelAndContracts = ['type:contracts', 'type:kernel'];

const boundaries = {
  enforceBuildableLibDependency: false,
  allowCircularSelfDependency: false,
  // The local platform loads it only to make certificates, so that its start does not wait for what tests need.
  checkDynamicDependenciesExceptions: ['@reseller/testing'],
  // Test databases are made with the database library, whose own tests run on them.
  ignoredCircularDependencies: [['database', 'testing']],
  depConstraints: [
    {
      sourceTag: 'type:edge',
      onlyDependOnLibsWithTags: ['type:platform', ...kernelAndContracts],
      bannedExternalImports: ['pg', '@prisma/*', 'kafkajs'],
    },
    {
      sourceTag: 'type:service',
      onlyDependOnLibsWithTags: ['type:platform', ...kernelAndContracts],
      bannedExternalImports: ['express'],
    },
    { sourceTag: 'type:simulator', onlyDependOnLibsWithTags: ['type:platform', ...kernelAndContracts] },
    { sourceTag: 'type:platform', onlyDependOnLibsWithTags: ['type:platform', ...kernelAndContracts] },
    { sourceTag: 'type:kernel', onlyDependOnLibsWithTags: ['type:kernel'] },
    { sourceTag: 'type:contracts', onlyDependOnLibsWithTags: [] },
    // Runs in a browser: what it knows of the platform is the operators' API.
    { sourceTag: 'type:browser', onlyDependOnLibsWithTags: [] },
    // What others install brings nothing along, and knows nothing of the platform; these are bundled into it.
    {
      sourceTag: 'type:published',
      onlyDependOnLibsWithTags: ['type:published'],
      allowedExternalImports: ['openapi-fetch', 'commander', '@clack/prompts', '@bomb.sh/tab/commander'],
    },
    {
      sourceTag: 'type:test',
      onlyDependOnLibsWithTags: ['type:test', 'type:platform', ...kernelAndContracts],
    },
  ],
};

/** Tests of any project may use the test library on top of what the project itself may use. */
const boundariesInTests = {
  ...boundaries,
  depConstraints: boundaries.depConstraints.map(({ sourceTag, onlyDependOnLibsWithTags }) => ({
    sourceTag,
    onlyDependOnLibsWithTags: [...onlyDependOnLibsWithTags, 'type:test', 'type:published'],
  })),
};

export default defineConfig({
  plugins: ['typescript', 'import'],
  jsPlugins: ['@nx/eslint-plugin'],
  options: { typeAware: true },
  env: { builtin: true },
  ignorePatterns: [
    '**/dist/**',
    '**/gen/**',
    '**/generated/**',
    '**/*.cjs',
    '**/assets/**',
    '.nx/**',
    '.local*/**',
  ],
  categories: { correctness: 'error' },
  rules: {
    // Right in what they find, and of no use here: methods of handlers and fakes that never say `this`, texts that are
    // spread into characters, texts that no person reads, sorts of short texts, types that are equal by chance, and .mjs
    // files, which have no types.
    'typescript/no-base-to-string': 'off',
    'typescript/no-duplicate-type-constituents': 'off',
    'typescript/no-misused-spread': 'off',
    'typescript/no-unsafe-unary-minus': 'off',
    'typescript/require-array-sort-compare': 'off',
    'typescript/restrict-template-expressions': 'off',
    'typescript/unbound-method': 'off',
    'no-array-constructor': 'error',
    'no-case-declarations': 'error',
    'no-empty': 'error',
    'no-fallthrough': 'error',
    'no-prototype-builtins': 'error',
    'no-regex-spaces': 'error',
    'no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
    'typescript/ban-ts-comment': 'error',
    'typescript/no-empty-object-type': 'error',
    'typescript/no-namespace': 'error',
    'typescript/no-require-imports': 'error',
    'typescript/no-unnecessary-type-constraint': 'error',
    'typescript/no-unsafe-function-type': 'error',
  },
  overrides: [
    {
      files: ['**/*.{ts,tsx}'],
      rules: {
        '@nx/enforce-module-boundaries': ['error', boundaries],
        eqeqeq: ['error', 'always', { null: 'ignore' }],
        'import/no-default-export': 'error',
        'no-console': 'error',
        'no-var': 'error',
        'prefer-const': 'error',
        'prefer-rest-params': 'error',
        'prefer-spread': 'error',
        'typescript/consistent-type-imports': 'error',
        'typescript/no-explicit-any': 'error',
        'typescript/no-misused-promises': ['error', { checksVoidReturn: { arguments: false } }],
        'typescript/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      },
    },
    {
      files: ['**/*.spec.ts', '**/test/**/*.ts', 'apps/system-tests/**/*.ts'],
      rules: { '@nx/enforce-module-boundaries': ['error', boundariesInTests] },
    },
    // The compiler does not look at these.
    {
      files: ['**/*.{js,mjs}'],
      env: { node: true },
      rules: { 'no-redeclare': 'error', 'no-undef': 'error' },
    },
    {
      files: ['apps/docs-site/reference/*.js', 'apps/docs-site/.vitepress/theme/*.mjs'],
      env: { browser: true },
    },
  ],
});
