import { Buffer } from 'node:buffer';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** Licences that a package's own files grant and its package.json does not name. */
const NAMED_IN_FILES = { 'nub@0.0.0': 'MIT', 'png-js@2.0.0': 'MIT' };

/** Where Vite lists what is built into the console's page, which no lock file of a bundle names. */
const BUILT_IN = 'assets/console/licences.json';

/**
 * The software bill of materials of a bundle, in CycloneDX: each package of its lock file, and each that is built into a page that it
 * serves, with version, SHA-512 and licence. The same bundle gives the same text: neither time nor serial number is in it.
 */
export function sbomOf(folder, app, lock) {
  const args = ['sbom', '--sbom-format=cyclonedx', '--package-lock-only', '--omit=dev', '--loglevel=error'];
  const result = spawnSync('npm', args, {
    cwd: folder,
    encoding: 'utf8',
    shell: process.platform === 'win32',
    maxBuffer: 64 * 1024 * 1024,
  });
  if (result.status !== 0) throw new Error(`npm sbom failed: ${result.stderr}`);
  const { $schema, bomFormat, specVersion, version, metadata, components, dependencies } = JSON.parse(
    result.stdout,
  );
  return {
    ...{ $schema, bomFormat, specVersion, version },
    metadata: {
      lifecycles: metadata.lifecycles,
      tools: metadata.tools,
      component: { ...metadata.component, type: 'application', name: app },
    },
    components: [
      ...components.map((component) => {
        const named = NAMED_IN_FILES[component['bom-ref']];
        return component.licenses || !named
          ? component
          : { ...component, licenses: [{ license: { id: named } }] };
      }),
      ...builtIn(folder, lock, new Set(components.map((component) => component['bom-ref']))),
    ],
    dependencies,
  };
}

/** The packages whose code is in the console's page; those that `known` has are listed once. */
function builtIn(folder, { packages }, known) {
  const file = path.join(folder, BUILT_IN);
  if (!existsSync(file)) return [];
  const locked = new Map(
    Object.entries(packages).map(([place, entry]) => [
      `${place.split('node_modules/').pop()}@${entry.version}`,
      entry,
    ]),
  );
  return JSON.parse(readFileSync(file, 'utf8'))
    .filter(({ name, version }) => !known.has(`${name}@${version}`))
    .map(({ name, version, identifier }) => {
      const { integrity } = locked.get(`${name}@${version}`) ?? {};
      if (!integrity)
        throw new Error(`${name}@${version} is built into the page and not in package-lock.json`);
      return {
        'bom-ref': `${name}@${version}`,
        type: 'library',
        name,
        version,
        scope: 'required',
        purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
        hashes: [
          {
            alg: 'SHA-512',
            content: Buffer.from(integrity.replace('sha512-', ''), 'base64').toString('hex'),
          },
        ],
        licenses: [{ license: { id: identifier } }],
      };
    });
}
