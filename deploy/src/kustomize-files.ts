import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { parse, parseAllDocuments } from 'yaml';

/** A manifest as it stands in a file. */
export interface FileManifest {
  apiVersion: string;
  kind: string;
  metadata: { name: string; labels?: Record<string, string> };
  spec?: unknown;
  file: string;
}

interface Generator {
  name: string;
  behavior?: string;
  literals?: string[];
  envs?: string[];
  files?: string[];
}

/** What the tests look at in a kustomization. */
export interface Kustomization {
  resources?: string[];
  components?: string[];
  configMapGenerator?: Generator[];
  secretGenerator?: Generator[];
  images?: { name: string; newTag?: string }[];
  patches?: { target: { kind?: string; name?: string; labelSelector?: string }; patch: string }[];
  nameSuffix?: string;
}

/** The kustomization of a folder. */
export function readKustomization(folder: string): Kustomization {
  return parse(readFileSync(path.join(folder, 'kustomization.yaml'), 'utf8')) as Kustomization;
}

/** The manifests of one file. */
export function readManifests(file: string): FileManifest[] {
  return parseAllDocuments(readFileSync(file, 'utf8')).map((document) => {
    if (document.errors[0]) throw new Error(`${file}: ${document.errors[0].message}`);
    return { ...(document.toJS() as Omit<FileManifest, 'file'>), file };
  });
}

/** All manifests that a kustomization brings together, through the folders it names, before its patches. */
export function collect(folder: string): FileManifest[] {
  const { resources = [], components = [] } = readKustomization(folder);
  return [...resources, ...components].flatMap((name) => {
    const at = path.join(folder, name);
    if (!existsSync(at)) throw new Error(`${folder} names ${name}, which does not exist`);
    return statSync(at).isDirectory() ? collect(at) : readManifests(at);
  });
}

/** The settings that a kustomization and the folders it names give to a ConfigMap; later ones win, as they do there. */
export function settingsIn(folder: string, name: string): Record<string, string> {
  const { resources = [], configMapGenerator = [] } = readKustomization(folder);
  const folders = resources.map((each) => path.join(folder, each)).filter((at) => statSync(at).isDirectory());
  const inherited = folders.map((at) => settingsIn(at, name));
  const own = configMapGenerator
    .filter((each) => each.name === name)
    .flatMap(({ literals = [] }) => literals)
    .map((literal) => [literal.slice(0, literal.indexOf('=')), literal.slice(literal.indexOf('=') + 1)]);
  return Object.assign({}, ...inherited, Object.fromEntries(own)) as Record<string, string>;
}

/** Every file below a folder that ends in `.yaml`. */
export function yamlFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.yaml'))
    .map((file) => path.join(folder, file));
}
