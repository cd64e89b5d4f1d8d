// Adds to package-lock.json the optional binaries of other platforms that the registry in use did not have when a
// package was added. npm leaves those out, and `npm ci` of npm 11 then calls the lock file out of step.
// Run it after every `npm install <package>`: node libs/toolchain/complete-lock.mjs
import { readFileSync, writeFileSync } from 'node:fs';

const lock = JSON.parse(readFileSync('package-lock.json', 'utf8'));
const { packages } = lock;
const systems = ['android', 'darwin', 'freebsd', 'linux', 'openharmony', 'win32'];
const processors = { armv7: 'arm', arm: 'arm', aarch64: 'arm64', arm64: 'arm64', x64: 'x64', ia32: 'ia32' };
for (const name of ['ppc64', 'riscv64', 's390x', 'loong64']) processors[name] = name;

/** True when Node's resolution from this package would find the dependency in the lock file. */
function isLocked(from, dependency) {
  for (let at = from; ; at = at.slice(0, Math.max(0, at.lastIndexOf('/node_modules/')))) {
    if (packages[`${at ? `${at}/` : ''}node_modules/${dependency}`]) return true;
    if (!at) return false;
  }
}

const added = [];
for (const [from, entry] of Object.entries(packages)) {
  for (const [dependency, version] of Object.entries(entry.optionalDependencies ?? {})) {
    if (isLocked(from, dependency)) continue;
    const words = dependency.split(/[/-]/);
    const system = words.find((word) => systems.includes(word));
    const processor = words.map((word) => processors[word]).find(Boolean);
    if (!system || !processor || !/^\d/.test(version)) continue;
    packages[`node_modules/${dependency}`] = {
      version,
      cpu: [processor],
      ...(entry.dev ? { dev: true } : {}),
      optional: true,
      os: [system],
    };
    added.push(dependency);
  }
}
lock.packages = Object.fromEntries(Object.entries(packages).sort(([a], [b]) => a.localeCompare(b, 'en')));
writeFileSync('package-lock.json', `${JSON.stringify(lock, null, 2)}\n`);
console.log(`complete-lock: ${added.length} optional packages added`);
