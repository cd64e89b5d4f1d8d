const { projectConfig } = require('../../libs/toolchain/jest.preset.cjs');

const base = projectConfig(__dirname);

module.exports = {
  ...base,
  // The gateway owns nothing durable: its tests need no database.
  globalSetup: undefined,
  globalTeardown: undefined,
};
