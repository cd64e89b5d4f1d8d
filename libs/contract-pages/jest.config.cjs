const { projectConfig } = require('../../libs/toolchain/jest.preset.cjs');

module.exports = {
  ...projectConfig(__dirname),
  // Documents are compared in memory: no database.
  globalSetup: undefined,
  globalTeardown: undefined,
};
