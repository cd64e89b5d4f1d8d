export { answerBrokenRequests } from './broken-requests';
export { createEdge } from './edge';
export type { EdgeOptions } from './edge';
export { sendError, sendSuccess } from './envelope';
export { CHANGE_DEADLINE_MS, defineRoute, READ_DEADLINE_MS } from './route';
export type { AnyRoute, EdgeRoute, HttpMethod, RouteInput } from './route';
export { requestIdOf } from './request-id';
