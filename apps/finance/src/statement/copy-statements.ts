import { PIECES_AT_ONCE, type CopyStep, type StatementCopyRepository } from './statement-copy.repository';

/** A transaction that takes longer is followed by a smaller one. */
const LONGEST_STEP_MS = 300;

/** What copying works with. */
interface CopyDeps {
  copies: Pick<StatementCopyRepository, 'copyNext'>;
  /** Called when a statement has all its lines. */
  onCompleted: () => void;
}

/**
 * A run of the job that copies the lines of long statements: one transaction, whose size follows how long the one before it took.
 * Resolves with whether there is more to do.
 */
export function createCopying({ copies, onCompleted }: CopyDeps): () => Promise<boolean> {
  let pieces = PIECES_AT_ONCE;
  return async () => {
    const startedAt = performance.now();
    let step: CopyStep | undefined;
    try {
      step = await copies.copyNext(pieces);
    } finally {
      // One that failed may have met the statement timeout: it must not be tried for ever as it was.
      const isSlow = step === undefined || performance.now() - startedAt > LONGEST_STEP_MS;
      pieces = isSlow ? Math.max(1, Math.floor(pieces / 2)) : Math.min(PIECES_AT_ONCE, pieces * 2);
    }
    if (step === 'completed') onCompleted();
    return step !== 'nothing to do';
  };
}
