/** The part of a pino logger that this library writes to. */
export interface RpcLog {
  debug(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}
