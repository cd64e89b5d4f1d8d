import { existsSync } from 'node:fs';
import path from 'node:path';

/** A folder or a file of libs/testing beside the sources, whether this runs from them or out of a bundle. */
export function findTestingFolder(name: string): string {
  for (let directory = __dirname; ; directory = path.dirname(directory)) {
    const found = path.join(directory, 'libs/testing', name);
    if (existsSync(found)) return found;
    if (directory === path.dirname(directory)) throw new Error(`libs/testing/${name} is not above this file`);
  }
}
