// The jars of a server that tests run on the JVM, fetched with Maven once for each state of its pom.
const { execFile, spawnSync } = require('node:child_process');
const { createHash, randomBytes } = require('node:crypto');
const { existsSync, mkdirSync, readFileSync, renameSync, rmSync } = require('node:fs');
const path = require('node:path');

/** Why this machine cannot run what a pom names, and the folder with its jars; `cacheName` is their place below node_modules/.cache. */
function mavenJars(pom, cacheName) {
  const hash = createHash('sha256').update(readFileSync(pom)).digest('hex').slice(0, 16);
  const cache = path.resolve(__dirname, '../../node_modules/.cache', cacheName);
  const folder = path.join(cache, hash);

  /** Why this machine cannot run it; undefined when it can. */
  function jarsMissing() {
    if (!canRun('java', '-version')) return 'java is not on the PATH (Debian: default-jre-headless)';
    if (existsSync(folder) || canRun('mvn', '--version')) return undefined;
    return 'mvn is not on the PATH (Debian: maven), and the jars have not been fetched before';
  }

  /** The folder with the jars; fetches them unless they are there. */
  async function fetchJars() {
    if (existsSync(folder)) return folder;
    mkdirSync(cache, { recursive: true });
    const draft = `${folder}.${randomBytes(4).toString('hex')}`;
    await run('mvn', ['-q', '-B', '-f', pom, 'dependency:copy-dependencies', `-DoutputDirectory=${draft}`]);
    try {
      // Several runs may fetch at once; the first that is through is taken.
      renameSync(draft, folder);
    } catch (error) {
      rmSync(draft, { recursive: true, force: true });
      if (!existsSync(folder)) throw error;
    }
    return folder;
  }

  return { jarsMissing, fetchJars };
}

function canRun(command, argument) {
  return spawnSync(command, [argument], { stdio: 'ignore' }).status === 0;
}

function run(command, args) {
  return new Promise((resolve, reject) => {
    execFile(command, args, (error, stdout, stderr) => {
      if (error)
        reject(new Error(`${command} failed: ${`${stdout}${stderr}`.slice(-2000)}`, { cause: error }));
      else resolve();
    });
  });
}

/** Fetches ahead, where the calling file is the program. */
function fetchWhenRun(caller, { fetchJars }) {
  if (require.main !== caller) return;
  fetchJars().catch((error) => {
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  });
}

module.exports = { mavenJars, fetchWhenRun };
