import path from 'node:path';

const VALID_MS = 365 * 86_400_000;

/** The settings of an app that put its RPC under mutual TLS, with the files in its folder of a directory. */
export function tlsEnvironment(directory: string | undefined, service: string): Record<string, string> {
  if (directory === undefined) return {};
  const file = (name: string): string => path.join(directory, service, name);
  return {
    GRPC_TLS_CERT_FILE: file('tls.crt'),
    GRPC_TLS_KEY_FILE: file('tls.key'),
    GRPC_TLS_CA_FILE: file('ca.crt'),
  };
}

/** Makes an authority that nobody keeps, and a certificate of it for each service, in place of those of the last start. */
export async function makeCertificates(directory: string, services: readonly string[]): Promise<void> {
  // Loaded only here: the package is one for development.
  const { CertificateAuthority } = await import('@reseller/testing');
  const authority = await CertificateAuthority.create();
  const validUntil = new Date(Date.now() + VALID_MS);
  for (const service of services)
    await authority.write(path.join(directory, service), { names: [service], validUntil });
}
