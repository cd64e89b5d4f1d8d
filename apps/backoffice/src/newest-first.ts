/** A part of a list that is kept newest first, and how many are in all of it. */
interface Stretch<T> {
  readonly items: readonly T[];
  readonly totalCount: number;
}

/** Where a stretch of a list begins and how long it is at most. */
export interface StretchBounds {
  readonly offset: number;
  readonly limit: number;
}

/** Reads a stretch of a list; with a limit of zero only how long it is. */
export type ReadStretch<T> = (stretch: StretchBounds) => Promise<Stretch<T>>;

/**
 * A page of two lists as one, newest first: exact at any depth, and never reading more than a page of each. Where the page begins in
 * each of them is found by halving, so a page after the first costs a few single reads more.
 */
export async function mergeNewestFirst<T>(
  first: ReadStretch<T>,
  second: ReadStretch<T>,
  isNewer: (one: T, other: T) => boolean,
  { offset, limit }: StretchBounds,
): Promise<Stretch<T>> {
  const isFirstPage = offset === 0;
  const beginning = { offset: 0, limit: isFirstPage ? limit : 0 };
  const [ofFirst, ofSecond] = await Promise.all([first(beginning), second(beginning)]);
  const totalCount = ofFirst.totalCount + ofSecond.totalCount;
  if (isFirstPage) return { items: merge(ofFirst.items, ofSecond.items, isNewer, limit), totalCount };
  if (offset >= totalCount) return { items: [], totalCount };
  const before = await countBefore(first, second, isNewer, offset, [ofFirst.totalCount, ofSecond.totalCount]);
  const [here, there] = await Promise.all([
    first({ offset: before, limit }),
    second({ offset: offset - before, limit }),
  ]);
  return { items: merge(here.items, there.items, isNewer, limit), totalCount };
}

/** How many of the newest `offset` of both lists are of the first. */
async function countBefore<T>(
  first: ReadStretch<T>,
  second: ReadStretch<T>,
  isNewer: (one: T, other: T) => boolean,
  offset: number,
  [firstCount, secondCount]: readonly [number, number],
): Promise<number> {
  let least = Math.max(0, offset - secondCount);
  let most = Math.min(offset, firstCount);
  while (least < most) {
    const middle = Math.floor((least + most) / 2);
    const [[here], [there]] = await Promise.all([
      itemsOf(first({ offset: middle, limit: 1 })),
      itemsOf(second({ offset: offset - middle - 1, limit: 1 })),
    ]);
    // One that is gone meanwhile, as when it left the status that is listed, counts as the oldest.
    if (here !== undefined && (there === undefined || isNewer(here, there))) least = middle + 1;
    else most = middle;
  }
  return least;
}

const itemsOf = async <T>(stretch: Promise<Stretch<T>>): Promise<readonly T[]> => (await stretch).items;

function merge<T>(
  first: readonly T[],
  second: readonly T[],
  isNewer: (one: T, other: T) => boolean,
  limit: number,
): T[] {
  return [...first, ...second].sort((one, other) => (isNewer(one, other) ? -1 : 1)).slice(0, limit);
}
