// The broker's jars: `node libs/testing/kafka/jars.cjs` fetches them ahead.
const path = require('node:path');
const { fetchWhenRun, mavenJars } = require('../maven-jars.cjs');

module.exports = mavenJars(path.join(__dirname, 'pom.xml'), 'kafka-for-tests');
fetchWhenRun(module, module.exports);
