const { projectConfig } = require('../../libs/toolchain/jest.preset.cjs');

module.exports = {
  ...projectConfig(__dirname),
  testMatch: ['<rootDir>/remote/run.contract.ts'],
  globalSetup: undefined,
  globalTeardown: undefined,
};
