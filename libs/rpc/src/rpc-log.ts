/** The part of a pino logger that reports what changes seldom. */
export interface NoticeLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

/** The part of a pino logger that this library writes to. */
export interface RpcLog {
  debug(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}
