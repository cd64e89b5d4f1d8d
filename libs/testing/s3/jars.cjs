// The jars of the S3 server: `node libs/testing/s3/jars.cjs` fetches them ahead.
const path = require('node:path');
const { fetchWhenRun, mavenJars } = require('../maven-jars.cjs');

module.exports = mavenJars(path.join(__dirname, 'pom.xml'), 's3-for-tests');
fetchWhenRun(module, module.exports);
