const { projectConfig } = require('../../libs/toolchain/jest.preset.cjs');

module.exports = projectConfig(__dirname);
