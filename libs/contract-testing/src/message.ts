/** A message as the .proto file has it: fields by their names there, times as ISO text, int64 as text, enums by name. */
export type Message = Readonly<Record<string, unknown>>;
