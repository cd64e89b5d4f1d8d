/** Where the name of the app stands in a template. */
const PLACE = '{service}';

/** A DNS name or URI that a certificate carries as subject alternative name. */
const ENTRY = /(?:^|, )(?:DNS|URI):("(?:[^"\\]|\\.)*"|[^,"]*)(?=, |$)/g;

/** Whether a template names a place for the app, so that two apps' names differ. */
export const isPeerNameTemplate = (template: string): boolean => template.split(PLACE).length === 2;

/** The DNS names and URIs of a certificate, as Node.js writes them in `subjectaltname`; quoted ones are left out. */
export function alternativeNames(subjectAltName: string | undefined): string[] {
  const names = [...(subjectAltName ?? '').matchAll(ENTRY)].map(([, name = '']) => name);
  // Node.js quotes what could be mistaken for more than one entry; no name of ours needs that.
  return names.filter((name) => name !== '' && !name.startsWith('"'));
}

/** The apps a certificate stands for: what takes the place of {service} in each name that fits the template whole. */
export function appsNamedBy(subjectAltName: string | undefined, template: string): string[] {
  const pattern = new RegExp(
    `^${template
      .split(PLACE)
      .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
      .join('([a-z0-9-]{1,63})')}$`,
  );
  const apps = alternativeNames(subjectAltName).map((name) => pattern.exec(name)?.[1]);
  return [...new Set(apps.filter((app) => app !== undefined))];
}
