// Files of tests that are run together. Jest loads all that a file needs anew for each file, which with a service's modules takes a
// second of CPU; files of one group load it once. By hand, `jest -c <project>/jest.config.cjs <file>` runs a file alone.
import { globSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** A project of fewer gains too little. */
const ENOUGH_FILES = 16;
/** So many leave most services one group; it takes no more memory than groups of a dozen did, most of which are the service's modules. */
const FILES = 36;

/**
 * Writes the groups of the test files under `rootDir` into `folder`, each a file of tests for Jest that describes its files by their
 * paths; what a file leaves of replaced clocks and spies ends with it. Returns their number, none for a project of few files.
 */
export function writeTestGroups(rootDir, folder) {
  const files = globSync('{src,test}/**/*.spec.ts', { cwd: rootDir }).sort();
  const count = files.length < ENOUGH_FILES ? 0 : Math.ceil(files.length / FILES);
  rmSync(folder, { recursive: true, force: true });
  if (count > 0) mkdirSync(folder, { recursive: true });
  for (let group = 0; group < count; group += 1) {
    // Files next to each other by name often take about as long, so each group gets one of them in turn.
    const ofGroup = files.filter((_file, index) => index % count === group);
    writeFileSync(
      path.join(folder, `${group + 1}-of-${count}.spec.cjs`),
      ofGroup.map((file) => part(rootDir, file)).join('\n'),
    );
  }
  return count;
}

const part = (rootDir, file) => `describe(${JSON.stringify(file)}, () => {
  require(${JSON.stringify(path.join(rootDir, file))});
  afterAll(() => {
    jest.useRealTimers();
    jest.restoreAllMocks();
  });
});
`;
