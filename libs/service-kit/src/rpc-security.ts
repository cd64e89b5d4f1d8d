import { CertificateFault, mutualTls, plainText, type NoticeLog, type RpcSecurity } from '@reseller/rpc';
import type { Registry } from 'prom-client';
import { ConfigError, type BaseConfig } from './config';
import { mayBePlaintext } from './plaintext-config';

const FILES = ['GRPC_TLS_CERT_FILE', 'GRPC_TLS_KEY_FILE', 'GRPC_TLS_CA_FILE'] as const;

/**
 * How an app's RPC is protected, by its settings: mutual TLS with all three files. With none it is plain text, which the log
 * says once, and in production only where PLAINTEXT_ALLOWED names it. All else is a ConfigError with a line for each file that is
 * missing or unfit.
 */
export function rpcSecurity(
  app: string,
  config: BaseConfig,
  { log, metrics }: { log: NoticeLog; metrics?: Registry },
): RpcSecurity {
  const missing = FILES.filter((name) => !config[name]);
  if (missing.length === FILES.length) return inPlainText(config, log);
  if (missing.length > 0) {
    const given = FILES.filter((name) => config[name]).join(' and ');
    throw new ConfigError(
      missing.map((name) => `${name} is missing: expected a file in PEM, as ${given} is set`),
    );
  }
  const [certFile = '', keyFile = '', caFile = ''] = FILES.map((name) => config[name]);
  try {
    const { GRPC_TLS_PEER_NAME: peerName, GRPC_TLS_ALLOWED_CLIENTS: extraCallers } = config;
    return mutualTls({ app, certFile, keyFile, caFile, peerName, extraCallers, log, metrics });
  } catch (error) {
    if (!(error instanceof CertificateFault)) throw error;
    const { message } = error;
    // The fault begins with its file.
    const name = FILES.find((file) => message.startsWith(`${config[file] ?? ''} `)) ?? FILES[0];
    throw new ConfigError([`${name} is not valid: ${message}`]);
  }
}

function inPlainText(config: BaseConfig, log: NoticeLog): RpcSecurity {
  if (!mayBePlaintext(config, 'rpc'))
    throw new ConfigError(
      FILES.map(
        (name) =>
          `${name} is missing: expected a file in PEM, or rpc in PLAINTEXT_ALLOWED, as NODE_ENV is production`,
      ),
    );
  const how = `set ${FILES.join(', ')} for mutual TLS`;
  const event = { event: 'rpc in plain text' };
  if (config.NODE_ENV === 'production')
    log.warn(event, `RPC is in plain text: whoever reaches the port is trusted; ${how}`);
  else log.info(event, `RPC is in plain text; ${how}`);
  return plainText;
}
