const POLL_MS = 1_000;

/**
 * Calls once when the starter is gone (spec §13.4): at once when the IPC channel to it closes, within a second
 * when PARENT_PID names a process that no longer lives. Without either it never calls.
 */
export function watchParent(onGone: () => void, parentPid = process.env['PARENT_PID']): void {
  let gone = false;
  const report = (): void => {
    if (gone) return;
    gone = true;
    onGone();
  };
  if (process.connected) process.once('disconnect', report);
  if (!parentPid) return;
  const pid = Number(parentPid);
  const isDirectParent = process.ppid === pid;
  const timer = setInterval(() => {
    // A dead parent that nobody has reaped still has its pid, but its children were given another parent.
    const orphaned = isDirectParent && process.ppid !== pid;
    if (!orphaned && isAlive(pid)) return;
    clearInterval(timer);
    report();
  }, POLL_MS);
  timer.unref();
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it lives, under another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
