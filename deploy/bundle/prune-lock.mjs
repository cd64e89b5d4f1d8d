/** The name of the package that an import path belongs to: `@grpc/grpc-js` of `@grpc/grpc-js/build/x`. */
export function packageOf(importPath) {
  return importPath
    .split('/')
    .slice(0, importPath.startsWith('@') ? 2 : 1)
    .join('/');
}

/** Where Node finds `name` from the package at `from`, as a key of the lock file; undefined when it is not locked. */
function locate(packages, from, name) {
  for (let at = from; ; at = at.slice(0, Math.max(0, at.lastIndexOf('/node_modules/')))) {
    const key = at ? `${at}/node_modules/${name}` : `node_modules/${name}`;
    if (packages[key]) return key;
    if (!at) return undefined;
  }
}

/** What a package needs beside it, and whether it can do without. */
function needsOf(entry) {
  const required = Object.keys(entry.dependencies ?? {}).map((name) => ({ name, optional: false }));
  const peers = Object.keys(entry.peerDependencies ?? {})
    .filter((name) => !entry.peerDependenciesMeta?.[name]?.optional)
    .map((name) => ({ name, optional: false }));
  const optional = Object.keys(entry.optionalDependencies ?? {}).map((name) => ({ name, optional: true }));
  return [...required, ...peers, ...optional];
}

/**
 * The package.json and package-lock.json of a bundle that imports `names`: those packages and what they need, each at
 * the place, version and integrity that `lock` has for it, so that `npm ci` installs the very files that were tested.
 * Throws when a package is not locked, or is one for development only.
 */
export function pruneLock({ lock, names, app, version }) {
  const kept = {};
  const queue = names.map((name) => ({ from: '', name, optional: false }));
  for (let next = queue.shift(); next; next = queue.shift()) {
    const key = locate(lock.packages, next.from, next.name);
    if (!key && next.optional) continue;
    if (!key) throw new Error(`${next.name}, needed by ${next.from || app}, is not in package-lock.json`);
    if (kept[key]) continue;
    const entry = lock.packages[key];
    if (entry.dev)
      throw new Error(`${next.name}, needed by ${next.from || app}, is a development dependency`);
    kept[key] = { ...entry };
    delete kept[key].devOptional;
    delete kept[key].peer;
    queue.push(...needsOf(entry).map((need) => ({ from: key, ...need })));
  }
  const root = {
    name: app,
    version,
    dependencies: Object.fromEntries(
      [...names].sort().map((name) => [name, lock.packages[`node_modules/${name}`].version]),
    ),
  };
  const places = Object.fromEntries(Object.entries(kept).sort(([a], [b]) => (a < b ? -1 : 1)));
  return {
    manifest: { ...root, private: true, main: 'main.js' },
    lock: {
      name: app,
      version,
      lockfileVersion: lock.lockfileVersion,
      requires: true,
      packages: { '': root, ...places },
    },
  };
}
