// Lint for the whole repository, as one program of TypeScript. Which project may import which is Nx's rule at the top; run it by `npm run lint`, since
// without a project graph ESLint skips that rule in silence (libs/toolchain/lint-canary proves that it works). Who may
// import whom inside a project: libs/toolchain/dependency-rules.mjs.
import eslint from '@eslint/js';
import nx from '@nx/eslint-plugin';
import prettier from 'eslint-config-prettier';
import tseslint from 'typescript-eslint';

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

export default tseslint.config(
  {
    ignores: [
      '**/node_modules/**',
      '**/dist/**',
      '**/gen/**',
      '**/generated/**',
      '**/*.cjs',
      '**/assets/**',
      '.nx/**',
      '.local*/**',
    ],
  },
  eslint.configs.recommended,
  ...tseslint.configs.recommended,
  { plugins: { '@nx': nx } },
  {
    files: ['**/*.{ts,tsx}'],
    languageOptions: {
      parserOptions: {
        project: ['./libs/toolchain/tsconfig.json', './apps/console/tsconfig.json'],
        tsconfigRootDir: import.meta.dirname,
      },
    },
    rules: {
      '@nx/enforce-module-boundaries': ['error', boundaries],
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': ['error', { checksVoidReturn: { arguments: false } }],
      '@typescript-eslint/await-thenable': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      'no-restricted-syntax': [
        'error',
        {
          selector: 'ExportDefaultDeclaration',
          message: 'Export by name: a name can be searched for and renamed.',
        },
      ],
      eqeqeq: ['error', 'always', { null: 'ignore' }],
      'no-console': 'error',
    },
  },
  {
    files: ['libs/toolchain/lint-canary/**/*.ts'],
    languageOptions: { parserOptions: { project: ['./libs/toolchain/lint-canary/tsconfig.json'] } },
  },
  {
    files: ['**/*.spec.ts', '**/test/**/*.ts', 'apps/system-tests/**/*.ts'],
    rules: { '@nx/enforce-module-boundaries': ['error', boundariesInTests] },
  },
  {
    files: ['**/*.mjs'],
    languageOptions: {
      globals: { process: 'readonly', console: 'readonly', URL: 'readonly', setTimeout: 'readonly' },
    },
  },
  {
    files: ['apps/docs-site/reference/*.js', 'apps/docs-site/.vitepress/theme/*.mjs'],
    languageOptions: { globals: { document: 'readonly', location: 'readonly', window: 'readonly' } },
  },
  prettier,
);
