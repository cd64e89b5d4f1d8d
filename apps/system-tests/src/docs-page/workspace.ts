import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { findRoot } from '../platform/start-platform';

/** A folder in which the commands of a page find what was built, and leave what they write. */
export interface Workspace {
  readonly folder: string;
  remove(): void;
}

/** Makes a folder that has `dist` as the top of the repository has it. */
export function openWorkspace(): Workspace {
  const folder = mkdtempSync(path.join(tmpdir(), 'docs-page-'));
  symlinkSync(path.join(findRoot(), 'dist'), path.join(folder, 'dist'));
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
