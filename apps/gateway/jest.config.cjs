const { projectConfig } = require('../../libs/toolchain/jest.preset.cjs');

const base = projectConfig(__dirname);

module.exports = {
  ...base,
  // The gateway owns nothing durable: its tests need no database.
  globalSetup: undefined,
  globalTeardown: undefined,
  // The OpenAPI validator ships ES modules only, as jose and uuid do.
  transformIgnorePatterns: ['/node_modules/(?!(jose|uuid|@seriousme/openapi-schema-validator)/)'],
};
