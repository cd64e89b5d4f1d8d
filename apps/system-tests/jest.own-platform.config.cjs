const shared = require('./jest.config.cjs');

// Each of these starts a platform of its own, so they run beside those that share one.
module.exports = {
  ...shared,
  displayName: 'system-tests, own platform',
  testMatch: ['<rootDir>/test/own-platform/*.spec.ts'],
  testPathIgnorePatterns: [],
  globalSetup: '<rootDir>/test/setup/own-platform-setup.ts',
  globalTeardown: undefined,
  testSequencer: undefined,
};
