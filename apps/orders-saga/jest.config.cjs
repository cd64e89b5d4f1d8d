const { projectConfig } = require('../../libs/toolchain/jest.preset.cjs');

module.exports = {
  ...projectConfig(__dirname),
  // Its longest tests wait for leases of processes that were killed.
  maxWorkers: 2,
};
