// @swc/jest with one cache for all projects: its own key has a project's whole configuration in it, of which only the options of
// SWC change what a source becomes. So a source of a library is translated once and not once for each project.
const path = require('node:path');
const { createTransformer } = require('@swc/jest');

const config = { rootDir: path.resolve(__dirname, '../..') };

exports.createTransformer = (options) => {
  const transformer = createTransformer(options);
  const getCacheKey = (source, file, jest) =>
    transformer.getCacheKey(source, file, { ...jest, config, configString: '' });
  return { ...transformer, getCacheKey };
};
