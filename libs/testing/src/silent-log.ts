import { pino } from 'pino';

/** A logger that writes nothing, for what a test is not about. */
export const silentLog = pino({ level: 'silent' });
