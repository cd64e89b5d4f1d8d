import { existsSync } from 'node:fs';
import path from 'node:path';

/** A folder of libs/testing beside the sources, whether this runs from them or out of a bundle. */
export function findTestingFolder(name: string): string {
  for (let directory = __dirname; ; directory = path.dirname(directory)) {
    const folder = path.join(directory, 'libs/testing', name);
    if (existsSync(folder)) return folder;
    if (directory === path.dirname(directory)) throw new Error(`libs/testing/${name} is not above this file`);
  }
}
