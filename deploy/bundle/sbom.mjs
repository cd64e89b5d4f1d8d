import { spawnSync } from 'node:child_process';

/** Licences that a package's own files grant and its package.json does not name. */
const NAMED_IN_FILES = { 'nub@0.0.0': 'MIT', 'png-js@2.0.0': 'MIT' };

/**
 * The software bill of materials of a bundle, in CycloneDX: each package of its lock file with version, SHA-512 and licence. The same
 * bundle gives the same text: neither time nor serial number is in it.
 */
export function sbomOf(folder, app) {
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
    components: components.map((component) => {
      const named = NAMED_IN_FILES[component['bom-ref']];
      return component.licenses || !named
        ? component
        : { ...component, licenses: [{ license: { id: named } }] };
    }),
    dependencies,
  };
}
