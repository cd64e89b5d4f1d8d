import { callerNetwork } from '@reseller/http-edge';
import type { Request } from 'express';

/** Whom a request is limited as: the socket's address, unless TRUST_PROXY names the proxies in front (spec §11.2, §14.3). */
export const callerAddress = (request: Request): string => callerNetwork(request.ip);
