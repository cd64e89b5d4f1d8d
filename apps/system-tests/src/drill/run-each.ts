import { say } from '../bench/measure';

/** The names that an option of the command line chooses, all where it is not there; throws at one that there is not. */
export function chooseFrom<Name extends string>(
  named: Readonly<Record<Name, unknown>>,
  option: string,
  text: string | undefined,
): Name[] {
  const names = text?.split(',') ?? Object.keys(named);
  const unknown = names.find((name) => !Object.hasOwn(named, name));
  if (unknown !== undefined)
    throw new Error(`--${option}=${unknown}: expected ${Object.keys(named).join(', ')}`);
  return names as Name[];
}

/** Runs one drill after the other and prints what is not as it must be after each; returns whether none failed. */
export async function runEach<Name extends string>(
  names: readonly Name[],
  describe: (name: Name) => string,
  run: (name: Name) => Promise<readonly string[]>,
): Promise<boolean> {
  let failed = 0;
  for (const name of names) {
    say(`\n${name}: ${describe(name)}`);
    const faults = await run(name);
    for (const fault of faults.slice(0, 20)) say(`  FAULT ${fault}`);
    if (faults.length > 20) say(`  … and ${faults.length - 20} more`);
    say(faults.length === 0 ? '  passed' : '  failed');
    if (faults.length > 0) failed += 1;
  }
  say(`\n${names.length - failed} passed, ${failed} failed`);
  return failed === 0;
}
