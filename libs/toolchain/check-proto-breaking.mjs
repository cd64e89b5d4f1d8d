// Compares proto/ with what others rely on already: the released baseline (proto/baseline.binpb), and what main has; on
// main itself, what it had one commit ago. The baseline is in every clone, so there is always something to compare with
// (docs/adr/0017). `--release` moves the baseline to proto/ as it is now.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

const BASELINE = 'proto/baseline.binpb';
const say = (text) => console.log(`proto breaking: ${text}`);
const git = (...args) => spawnSync('git', args, { maxBuffer: 64 * 1024 * 1024 });
const commitOf = (ref) => {
  const { status, stdout } = git('rev-parse', '--verify', '--quiet', `${ref}^{commit}`);
  return status === 0 ? stdout.toString().trim() : undefined;
};

/** The commit that proto/ must not break: where the branch left main, or main's commit before this one. */
function earlierCommit() {
  const head = commitOf('HEAD');
  const main = commitOf('origin/main') ?? commitOf('main');
  if (head === undefined) return undefined;
  if (main === undefined || main === head) return commitOf('HEAD^');
  const { status, stdout } = git('merge-base', head, main);
  // What main has is compared with too when the branch is merely behind it; a shallow clone may have no common commit.
  return status === 0 && stdout.toString().trim() !== head ? stdout.toString().trim() : main;
}

function isKept(against, input, name) {
  // Of google/protobuf a baseline holds what its own version of buf brought along.
  const { status } = spawnSync('buf', ['breaking', 'proto', '--exclude-imports', '--against', against], {
    input,
    stdio: [input ? 'pipe' : 'ignore', 'inherit', 'inherit'],
  });
  say(`${status === 0 ? 'compatible with' : 'BREAKS'} ${name}`);
  return status === 0;
}

function keepsEarlierCommit() {
  const commit = earlierCommit();
  if (commit === undefined) {
    say('no earlier commit in this clone; the baseline alone decides');
    return true;
  }
  if (git('cat-file', '-e', `${commit}:proto/buf.yaml`).status !== 0) return true;
  const archive = git('archive', '--format=tar', commit, 'proto').stdout;
  return isKept('-#format=tar,subdir=proto', archive, `commit ${commit.slice(0, 7)}`);
}

if (!existsSync(BASELINE)) {
  say(`${BASELINE} is missing; restore it from version control`);
  process.exit(1);
}
const keepsBaseline = isKept(BASELINE, undefined, `the released baseline (${BASELINE})`);
if (process.argv.includes('--release')) {
  if (!keepsBaseline && !process.argv.includes('--accept-breaks')) {
    say('not released: add --accept-breaks when every consumer is known to be ready');
    process.exit(1);
  }
  const build = ['build', 'proto', '--exclude-source-info', '-o', BASELINE];
  process.exit(spawnSync('buf', build, { stdio: 'inherit' }).status ?? 1);
}
process.exit(keepsEarlierCommit() && keepsBaseline ? 0 : 1);
