// Compares proto/ with the main branch: what another team relies on must not change under it.
import { spawnSync } from 'node:child_process';

const git = (...args) => spawnSync('git', args, { encoding: 'utf8' });
const base = ['origin/main', 'main'].find((ref) => git('rev-parse', '--verify', '--quiet', ref).status === 0);
if (base === undefined) {
  console.log('proto breaking: no main branch to compare with, nothing checked');
  process.exit(0);
}
const commit = git('rev-parse', base).stdout.trim();
if (git('cat-file', '-e', `${commit}:proto/buf.yaml`).status !== 0) process.exit(0);
const result = spawnSync('buf', ['breaking', 'proto', '--against', `.git#ref=${commit},subdir=proto`], {
  stdio: 'inherit',
});
process.exit(result.status ?? 1);
