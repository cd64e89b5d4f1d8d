export { expectFile, receiveFile } from './arriving-file';
export type { FileDeclaration, ReceivedFile } from './arriving-file';
export { callerNetwork } from './caller-network';
export { edgeConfig } from './edge-config';
export type { EdgeConfig } from './edge-config';
export type { ApplicationPage, EdgeOptions } from './app';
export { CHANGE_DEADLINE_MS, deadlineOf, isRead, READ_DEADLINE_MS } from './deadlines';
export { tidySchema } from './document-words';
export type { CompiledRoute, Edge, EdgeRoute } from './dispatcher';
export { callerLeft, cutOffBy } from './exchange';
export type { Exchange } from './exchange';
export type { RawParams } from './match-route';
export { HeldPayload } from './held-payload';
export { Observer } from './observe';
export {
  ALWAYS,
  BESIDE_OTHERS,
  isInFuture,
  isInOrder,
  dateTimeField,
  MAX_INT32,
  queryDateTimeField,
  queryIntegerField,
  textField,
  uuidField,
  whenGiven,
} from './fields';
export { filePage, fixedPage, openApiPage, redirectPage, statusPages } from './pages';
export type { Page, PostPage } from './pages';
export { readJsonBody } from './read-body';
export { splitTarget } from './request-target';
export { routeDefiner } from './route';
export type { AuditedChange, Route, RouteInput } from './route';
export { API_SECURITY_HEADERS, headerList, securityHeaders } from './security-headers';
export type { Headers } from './security-headers';
export { createEdgeServer } from './server';
export { storedFilePage } from './stored-file';
export type { StoredFile } from './stored-file';
export { OverloadError } from './overload-error';
export { effectOf } from './effect';
export { StreamedPayload } from './streamed-payload';
export { trustedProxies } from './trusted-proxies';
export { compileValidator } from './validate';
export type { ValidInput } from './validate';
