import { expect } from '@jest/globals';
import { eventually } from '@reseller/testing';
import type { Message } from './contract';
import { list, part } from './message';
import type { Caller } from './party';
import type { World } from './world';

const LARGEST = 100;

/**
 * Holds a paged list to page.proto: pages of one and of two tell the same list as one page of a hundred, in the same
 * order, past the end is empty, and the counts agree. The list must hold at least two; one that still moves with the work
 * of an earlier case is read again. Returns the first hundred.
 */
export function expectPages(world: World, list: PagedList): Promise<Message[]> {
  return eventually(() => holdPages(world, list));
}

/** A paged RPC and the field of its response that holds the items. */
export interface PagedList {
  rpc: string;
  field: string;
  request?: Message;
  caller?: Caller;
}

async function holdPages(world: World, { rpc, field, request = {}, caller }: PagedList): Promise<Message[]> {
  const page = async (number: number, size: number) => {
    const response = await world.call(rpc, { ...request, page: { page: number, page_size: size } }, caller);
    return { items: list(response, field), info: part(response, 'page') };
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
