import {
  credentials,
  experimental,
  ServerCredentials,
  type ChannelCredentials,
  type ChannelOptions,
  type ServerOptions,
} from '@grpc/grpc-js';
import { Gauge, type Registry } from 'prom-client';
import type { NoticeLog } from '../rpc-log';
import { callerGuard, type CallerGuard, type ExtraCallers } from './caller-guard';
import { CertificateFiles } from './certificate-files';
import { alternativeNames, appsNamedBy } from './peer-name';

/** What a channel to one dependency is opened with. */
interface ChannelSecurity {
  readonly credentials: ChannelCredentials;
  readonly options: ChannelOptions;
}

/** How RPC is protected: given to a server and to every client of the process. */
export interface RpcSecurity {
  readonly serverCredentials: ServerCredentials;
  readonly serverOptions: ServerOptions;
  /** For a channel to a dependency, whose certificate must name it. */
  channelTo(peer: string): ChannelSecurity;
  /** Who may call what; undefined in plain text, where nobody shows who they are. */
  readonly guard: CallerGuard | undefined;
  close(): void;
}

/** No protection at all, for a private network or one machine. */
export const plainText: RpcSecurity = {
  serverCredentials: ServerCredentials.createInsecure(),
  serverOptions: {},
  channelTo: () => ({ credentials: credentials.createInsecure(), options: {} }),
  guard: undefined,
  close: () => undefined,
};

/** Settings of mutual TLS; `app` is the name of this process's app, as the contracts name callers. */
export interface MutualTlsOptions {
  readonly app: string;
  readonly certFile: string;
  readonly keyFile: string;
  readonly caFile: string;
  /** How an app's name stands in a certificate, with {service} in its place. */
  readonly peerName: string;
  readonly extraCallers?: ExtraCallers | undefined;
  readonly log: NoticeLog;
  readonly metrics?: Registry | undefined;
  readonly refreshMs?: number | undefined;
}

/** Connections are begun anew after so long, so that a certificate that was replaced or ran out is not in use for ever. */
const CONNECTION_AGE_MS = 30 * 60_000;

/**
 * Mutual TLS: both sides show a certificate of one CA and are known by its alternative names. Throws CertificateFault when
 * the files cannot be used.
 */
export function mutualTls(options: MutualTlsOptions): RpcSecurity {
  const files = new CertificateFiles(options);
  if (options.metrics) observeExpiry(options.metrics, files);
  return {
    // A connection without a certificate is let in, and refused at its first call in words that a person understands.
    serverCredentials: experimental.createCertificateProviderServerCredentials(files, files, false),
    serverOptions: { 'grpc.max_connection_age_ms': CONNECTION_AGE_MS },
    channelTo: (peer) => ({
      credentials: experimental.createCertificateProviderChannelCredentials(files, files, {
        checkServerIdentity: (_host, { subjectaltname }) => {
          if (appsNamedBy(subjectaltname, options.peerName).includes(peer)) return undefined;
          const names = alternativeNames(subjectaltname).join(', ') || 'nothing';
          return new Error(`the server's certificate is for ${names}, not for ${peer}`);
        },
      }),
      options: { 'grpc.ssl_target_name_override': peer },
    }),
    guard: callerGuard(options.peerName, options.extraCallers),
    close: () => files.close(),
  };
}

function observeExpiry(metrics: Registry, files: CertificateFiles): void {
  new Gauge({
    name: 'rpc_certificate_expires_timestamp_seconds',
    help: 'When the certificate that this process shows in RPC runs out, in seconds since 1970. Each instance shows its own: take min().',
    registers: [metrics],
    collect() {
      this.set(files.validUntil.getTime() / 1000);
    },
  });
}
