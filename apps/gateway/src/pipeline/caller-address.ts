import { callerNetwork, type Exchange } from '@reseller/http-edge';

/** Whom a request is limited as: the socket's address, unless TRUST_PROXY names the proxies in front (spec §11.2, §14.3). */
export const callerAddress = (exchange: Exchange): string => callerNetwork(exchange.address);
