/** The code of the error that a call ends with, or "ok". */
export const codeOf = (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => 'ok',
    (error: unknown) => String((error as { code?: unknown }).code),
  );
