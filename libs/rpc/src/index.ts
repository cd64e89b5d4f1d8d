export { detachCall, operatorAccountOf, requireOperator, requirePartner } from './call-context';
export type { CallContext, CallPartner } from './call-context';
export { defineRpc, mayBeStale } from './definition';
export type {
  RpcDefinition,
  RpcHandlers,
  RpcMethod,
  RpcRequest,
  RpcResponse,
  RpcService,
} from './definition';
export { readUnderWay, runForAll } from './load/read-under-way';
export { queueDelay } from './load/queue-delay';
export { createRpcClient } from './rpc-client';
export type { RpcClient } from './rpc-client';
export { closeRpcClients, createRpcClients } from './rpc-clients';
export type { RpcClients, RpcClientTable } from './rpc-clients';
export type { RpcCallOptions, RpcClientOptions, RpcClientWiring } from './rpc-options';
export type { NoticeLog, RpcLog } from './rpc-log';
export { RpcServer } from './rpc-server';
export type { RpcServerOptions } from './rpc-server';
export type { ExtraCallers } from './security/caller-guard';
export { CertificateFault } from './security/certificate-files';
export { isPeerNameTemplate } from './security/peer-name';
export { mutualTls, plainText } from './security/rpc-security';
export type { MutualTlsOptions, RpcSecurity } from './security/rpc-security';
export { OPERATOR_ROLE_NAMES, operatorRoleNameOf, operatorRoleOf } from './operator-roles';
export type { OperatorRoleName } from './operator-roles';
export { environmentNameOf, environmentOf, partnerScopeOf, sandboxScopeOf } from './partner-scope';
export type { EnvironmentName, PartnerScope } from './partner-scope';
export { isLonger, RequestCheck, toDecimal } from './request-check';
export { isUuid, UUID } from './uuid';
