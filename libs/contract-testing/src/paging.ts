import { expect } from '@jest/globals';
import type { Message } from './contract';
import { list, part } from './message';
import type { Caller, World } from './world';

/**
 * Holds a paged list to page.proto: pages of one and of two tell the same list as one page of all, in the same order,
 * past the end is empty, and the counts agree. The list must hold at least two and stand still.
 */
export async function expectPages(
  world: World,
  { rpc, field, request = {}, caller }: { rpc: string; field: string; request?: Message; caller?: Caller },
): Promise<Message[]> {
  const page = async (number: number, size: number) => {
    const answer = await world.call(rpc, { ...request, page: { page: number, page_size: size } }, caller);
    return { items: list(answer, field), info: part(answer, 'page') };
  };
  const all = await page(1, 100);
  const total = all.items.length;
  expect(total).toBeGreaterThanOrEqual(2);
  expect(total).toBeLessThan(100);
  expect(all.info).toEqual({ page: 1, page_size: 100, total_count: total, total_pages: 1 });
  const twos = Math.ceil(total / 2);
  const second = await page(2, 1);
  expect(second.items).toEqual([all.items[1]]);
  expect(second.info).toEqual({ page: 2, page_size: 1, total_count: total, total_pages: total });
  expect((await page(1, 2)).items).toEqual(all.items.slice(0, 2));
  const past = await page(twos + 1, 2);
  expect(past.items).toEqual([]);
  expect(past.info).toEqual({ page: twos + 1, page_size: 2, total_count: total, total_pages: twos });
  const unsaid = await world.call(rpc, request, caller);
  expect(part(unsaid, 'page')).toMatchObject({ page: 1, page_size: 20, total_count: total });
  return all.items;
}
