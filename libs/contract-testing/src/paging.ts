import { expect } from '@jest/globals';
import type { Message } from './contract';
import { list, part } from './message';
import type { Caller } from './party';
import type { World } from './world';

const LARGEST = 100;

/**
 * Holds a paged list to page.proto: pages of one and of two tell the same list as one page of a hundred, in the same
 * order, past the end is empty, and the counts agree. The list must hold at least two and stand still. Answers the first
 * hundred.
 */
export async function expectPages(
  world: World,
  { rpc, field, request = {}, caller }: { rpc: string; field: string; request?: Message; caller?: Caller },
): Promise<Message[]> {
  const page = async (number: number, size: number) => {
    const answer = await world.call(rpc, { ...request, page: { page: number, page_size: size } }, caller);
    return { items: list(answer, field), info: part(answer, 'page') };
  };
  const first = await page(1, LARGEST);
  const total = Number(first.info['total_count']);
  expect(total).toBeGreaterThanOrEqual(2);
  expect(first.items).toHaveLength(Math.min(total, LARGEST));
  expect(first.info).toEqual({
    page: 1,
    page_size: LARGEST,
    total_count: total,
    total_pages: Math.ceil(total / LARGEST),
  });
  const second = await page(2, 1);
  expect(second.items).toEqual([first.items[1]]);
  expect(second.info).toEqual({ page: 2, page_size: 1, total_count: total, total_pages: total });
  expect((await page(1, 2)).items).toEqual(first.items.slice(0, 2));
  const twos = Math.ceil(total / 2);
  const past = await page(twos + 1, 2);
  expect(past.items).toEqual([]);
  expect(past.info).toEqual({ page: twos + 1, page_size: 2, total_count: total, total_pages: twos });
  const unsaid = part(await world.call(rpc, request, caller), 'page');
  expect(unsaid).toMatchObject({ page: 1, page_size: 20, total_count: total });
  expect((await page(1, LARGEST + 1)).info).toEqual(first.info);
  return first.items;
}
