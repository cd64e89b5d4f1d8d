// Holds manifests, a JSON array on standard input, to the Kubernetes schemas of their kinds; prints an array of faults.
// A process of its own, as the package with the schemas ships ES modules only.
import { readFileSync } from 'node:fs';

/** Of the operators of a cluster whose kinds the components use. Whatever else there is, is Kubernetes' own. */
const PACKAGES = {
  'cert-manager.io': '@kubernetes-models/cert-manager',
  'monitoring.coreos.com': '@kubernetes-models/prometheus-operator',
  'postgresql.cnpg.io': '@kubernetes-models/cloudnative-pg',
};

const faults = [];
for (const manifest of JSON.parse(readFileSync(0, 'utf8'))) {
  const [group, version] = manifest.apiVersion.includes('/') ? manifest.apiVersion.split('/') : ['', 'v1'];
  const where = `${manifest.kind} ${manifest.metadata?.name}`;
  try {
    const schemas = PACKAGES[group] ?? 'kubernetes-models';
    const kinds = await import(`${schemas}/${group ? `${group}/` : ''}${version}`);
    new kinds[manifest.kind](manifest).validate();
  } catch (error) {
    faults.push(`${where}: ${error.message}`);
  }
}
console.log(JSON.stringify(faults));
