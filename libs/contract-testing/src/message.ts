/** A message as the .proto file has it: fields by their names there, times as ISO text, int64 as text, enums by name. */
export type Message = Readonly<Record<string, unknown>>;

/** The text at a dotted path of a message; throws when there is none. */
export function text(message: unknown, path: string): string {
  const value = path
    .split('.')
    .reduce<unknown>((from, name) => (from as Record<string, unknown> | null)?.[name], message);
  if (typeof value !== 'string') throw new Error(`no text at ${path} of ${JSON.stringify(message)}`);
  return value;
}

/** The messages of a repeated field. */
export function list(message: unknown, name: string): Message[] {
  const value = (message as Record<string, unknown>)[name];
  if (!Array.isArray(value)) throw new Error(`no list at ${name} of ${JSON.stringify(message)}`);
  return value as Message[];
}

/** The message of a field; throws when it is not set. */
export function part(message: unknown, name: string): Message {
  const value = (message as Record<string, unknown>)[name];
  if (typeof value !== 'object' || value === null)
    throw new Error(`${name} is not set in ${JSON.stringify(message)}`);
  return value as Message;
}
