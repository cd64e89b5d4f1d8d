const { projectConfig } = require('../../libs/toolchain/jest.preset.cjs');

// One platform for the whole run, one spec file at a time: some of them kill processes.
module.exports = {
  ...projectConfig(__dirname),
  testPathIgnorePatterns: ['<rootDir>/test/own-platform/'],
  globalSetup: '<rootDir>/test/setup/global-setup.ts',
  globalTeardown: '<rootDir>/test/setup/global-teardown.ts',
  testSequencer: '<rootDir>/test/setup/logs-last.cjs',
  maxWorkers: 1,
  testTimeout: 180_000,
};
