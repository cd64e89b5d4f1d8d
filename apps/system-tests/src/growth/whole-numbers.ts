/** What `parseArgs` is given for an option that is a whole number. */
export const numberOption = (value: number) => ({ type: 'string', default: String(value) }) as const;

/** The whole number from 1 that an option says; throws where it says anything else. */
export function wholeNumber<Name extends string>(values: Readonly<Record<Name, string>>, name: Name): number {
  const value = Number(values[name]);
  if (!Number.isInteger(value) || value < 1)
    throw new Error(`--${name} must be a whole number from 1, not ${values[name]}`);
  return value;
}
