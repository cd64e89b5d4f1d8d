/** The option by which each command that changes something learns who does it. */
export const commandOperatorOption = { as: { type: 'string' } } as const;

/** What the help of such a command says of it. */
export const COMMAND_OPERATOR_HELP = '--as <name>  who does it; it stands beside what was done';

/** Who does it; throws where nobody is named, so that no change is made without a name. */
export function commandOperator({ as }: { readonly as?: string | undefined }): string {
  const name = as?.trim() ?? '';
  if (name === '') throw new Error('--as <name> is missing: who does this?');
  return name;
}
