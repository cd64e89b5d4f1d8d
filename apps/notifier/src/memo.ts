/**
 * A function of a text that is remembered for the last so many texts or fewer; only for what depends on nothing else.
 */
export function memo<Result>(work: (text: string) => Result, most = 4_096): (text: string) => Result {
  const known = new Map<string, { result: Result }>();
  return (text) => {
    const found = known.get(text);
    if (found) return found.result;
    const result = work(text);
    if (known.size >= most) known.clear();
    known.set(text, { result });
    return result;
  };
}
