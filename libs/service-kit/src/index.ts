import './compile-cache';

export {
  baseConfig,
  ConfigError,
  databaseConfig,
  replicaConfig,
  envAddress,
  envBoolean,
  envDatabaseUrl,
  envEventBusUrl,
  envHttpUrl,
  eventBusConfig,
  envInteger,
  envPort,
  loadConfig,
  requireDirectUrls,
} from './config';
export type { BaseConfig } from './config';
export { oneOf, reporting, runCommand, silentLog } from './run-command';
export type { CommandCall } from './run-command';
export { COMMAND_OPERATOR_HELP, commandOperator, commandOperatorOption } from './command-operator';
export { installCrashHandlers } from './crash-handlers';
export { crashAt } from './crash-points';
export type { PassCrashPoint } from './crash-points';
export { Health, NotReadyError } from './health';
export type { ReadyChecks } from './health';
export type { HttpPart } from './http-part';
export { createJob } from './job';
export type { Job, JobOptions } from './job';
export { createLogger } from './logger';
export type { Logger } from './logger';
export { readPemFile } from './pem-file';
export { mayBePlaintext } from './plaintext-config';
export type { PlaintextUse } from './plaintext-config';
export { rpcSecurity } from './rpc-security';
export { runService } from './run-service';
export type { RunningService, ServiceOptions, Container, ContainerDeps, Stoppable } from './run-service';
export { SecretSeal } from './secret-seal';
export type { SealedSecret, SealingKey } from './secret-seal';
export { startService } from './start-service';
export { envHashKeys, envSealingKeys } from './versioned-keys';
export type { HashKey } from './versioned-keys';
