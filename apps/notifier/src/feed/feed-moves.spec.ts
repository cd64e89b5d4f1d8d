import { describe, expect, it } from '@jest/globals';
import { FeedMoves, type FeedMove } from './feed-moves';

const move = (partnerId: string, position: number): FeedMove => ({
  partnerId,
  environment: 'sandbox',
  position: String(position),
});

describe('which feeds have moved', () => {
  it('when a caller passes on what it has seen, of several instances in turn, then it gets each move of each once', async () => {
    const instances = [new FeedMoves(), new FeedMoves()];
    let seen = '';
    const next = async (at: number, waitMs = 0): Promise<readonly FeedMove[]> => {
      const since = await instances[at]?.since(seen, waitMs);
      seen = since?.seen ?? '';
      return since?.moves ?? [];
    };
    instances[0]?.note([move('a', 1), move('b', 2)]);
    expect([await next(0), await next(1), await next(0)]).toEqual([[move('a', 1), move('b', 2)], [], []]);
    // What is known already, or older, is none.
    instances[0]?.note([move('a', 1), move('b', 1)]);
    instances[1]?.note([move('a', 5)]);
    expect([await next(0), await next(1), await next(1)]).toEqual([[], [move('a', 5)], []]);
    const waited = next(1, 10_000);
    instances[1]?.note([move('a', 6), move('b', 7)]);
    expect(await waited).toEqual([move('a', 6), move('b', 7)]);
  });

  it('when the instance stops or the caller has gone, then its wait ends', async () => {
    const moves = new FeedMoves();
    const { seen } = await moves.since('', 0);
    const controller = new AbortController();
    const gone = moves.since(seen, 10_000, controller.signal);
    controller.abort();
    expect(await gone).toEqual({ seen, moves: [] });
    const stopped = moves.since(seen, 10_000);
    moves.end();
    expect(await stopped).toEqual({ seen, moves: [] });
    expect(await moves.since(seen, 10_000)).toEqual({ seen, moves: [] });
  });
});
