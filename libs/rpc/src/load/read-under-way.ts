import { AsyncLocalStorage } from 'node:async_hooks';
import type { CallContext } from '../call-context';

/** The part of a call that queues obey. */
type ReadCall = Pick<CallContext, 'deadlineAt' | 'signal'>;

const reads = new AsyncLocalStorage<ReadCall | undefined>();

/** Runs the handler of a method that changes nothing, so that whatever queue it comes to knows how long it is waited for. */
export const runAsRead = <T>(call: ReadCall, work: () => T): T => reads.run(call, work);

/** Runs what is done for several callers at once, or goes on without the one that began it. */
export const runForAll = <T>(work: () => T): T => reads.run(undefined, work);

/** The read that the running code is part of; undefined in a change, a job, or work for several callers. */
export const readUnderWay = (): ReadCall | undefined => reads.getStore();
