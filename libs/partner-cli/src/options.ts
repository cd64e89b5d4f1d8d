import { InvalidArgumentError, Option, type Command } from 'commander';

/** A whole number above 0. */
export function count(text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1)
    throw new InvalidArgumentError('It must be a whole number above 0.');
  return value;
}

/** How much of a list is shown. */
export interface ListOptions {
  limit: number;
  all?: boolean;
}

/** Gives a command that lists things --limit and --all. */
export const listing = (command: Command): Command =>
  command.option('-n, --limit <number>', 'how many to list', count, 20).option('--all', 'list them all');

/** How many to list. */
export const mostOf = ({ limit, all }: ListOptions): number => (all ? Infinity : limit);

/** The largest page that is of use for so many. */
export const pageFor = (options: ListOptions): number => Math.min(100, mostOf(options) + 1);

/** The cart of one of the partner's customers. */
export const customerOption = (): Option =>
  new Option('-c, --customer <ref>', 'whose cart, by your customerRef; the bare cart unless given');
