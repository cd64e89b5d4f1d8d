import type { ServedCall } from '../served-call';
import { appsNamedBy } from './peer-name';

/** Apps beyond those a contract names, by the service's full name; `*` stands for every service. */
export type ExtraCallers = ReadonlyMap<string, readonly string[]>;

/** Decides by the caller's certificate. */
export interface CallerGuard {
  /** The apps that the caller's certificate names; undefined without a certificate of the trusted CA. */
  appsOf(call: ServedCall): readonly string[] | undefined;
  readonly extraCallers: ExtraCallers;
}

/** Reads callers' names from their certificates, once for each connection. */
export function callerGuard(peerName: string, extraCallers: ExtraCallers = new Map()): CallerGuard {
  const byConnection = new WeakMap<object, readonly string[]>();
  return {
    extraCallers,
    appsOf(call) {
      const connection = connectionOf(call);
      const known = connection && byConnection.get(connection);
      if (known) return known;
      const certificate = call.getAuthContext().sslPeerCertificate;
      if (!certificate) return undefined;
      const apps = appsNamedBy(certificate.subjectaltname, peerName);
      if (connection) byConnection.set(connection, apps);
      return apps;
    },
  };
}

// grpc-js says to nobody which connection a call came by. Where its insides do not look like this any more the
// certificate is read at each call: slower, and as safe.
function connectionOf(call: ServedCall): object | undefined {
  return (call as { call?: { stream?: { session?: object } } }).call?.stream?.session;
}
