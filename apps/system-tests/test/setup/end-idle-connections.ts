import { Agent, setGlobalDispatcher } from 'undici';

/**
 * The edges end a connection that stood idle for 65 s, and say so. On a busy machine whoever uses one up to its last second finds it
 * ended, which fetch reports and does not send again.
 */
const LONGEST_IDLE_MS = 10_000;

/** Has fetch end its connections before the edges do. */
export function endIdleConnections(): void {
  setGlobalDispatcher(new Agent({ keepAliveMaxTimeout: LONGEST_IDLE_MS }));
}
