const { projectConfig } = require('./jest.preset.cjs');

module.exports = projectConfig(__dirname);
