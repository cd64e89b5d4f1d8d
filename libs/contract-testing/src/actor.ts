import { expect } from '@jest/globals';
import { eventually } from '@reseller/testing';
import type { Message } from './message';
import { fieldsOf } from './reader';
import { refusalOf } from './refusal';

const LARGEST_PAGE = 100;

/** Who calls the service under test: a partner, or the suite as the backoffice and other services do. */
export abstract class Actor {
  /** Calls an RPC by its name; throws a Refusal for an error. */
  abstract call(rpc: string, request?: Message): Promise<Message>;

  /** The message that the RPC's reply is made of. */
  async get(rpc: string, request: Message = {}): Promise<Message> {
    const field = fieldsOf(rpc).find(({ kind }) => kind === 'message')?.name ?? '';
    const reply = await this.call(rpc, request);
    expect(reply[field]).toEqual(expect.any(Object));
    return reply[field] as Message;
  }

  /** The list that the RPC's reply is made of. */
  async list<T = Message>(rpc: string, request: Message = {}): Promise<T[]> {
    const field = fieldsOf(rpc).find(({ kind }) => kind === 'list')?.name ?? '';
    return (await this.call(rpc, request))[field] as T[];
  }

  /** The code that a call is refused with. */
  async refusal(rpc: string, request: Message = {}): Promise<string> {
    return (await refusalOf(this.call(rpc, request))).code;
  }

  /** Calls twice, at least: a repetition must reply the same. */
  async twice(rpc: string, request: Message = {}): Promise<Message> {
    const first = await this.call(rpc, request);
    expect(await this.call(rpc, request)).toEqual(first);
    return first;
  }

  /** A search for each of these texts finds just this one, and a part of them nothing. */
  async finds(rpc: string, item: Message, texts: readonly unknown[]): Promise<void> {
    for (const text of texts) {
      expect(await this.list(rpc, { text, limit: 20 })).toMatchObject([item]);
      expect(await this.list(rpc, { text: String(text).slice(0, -1), limit: 20 })).toEqual([]);
    }
  }

  /**
   * Holds a paged list to page.proto once it stands still: pages of one and of two have the same list as one page of a hundred, in
   * the same order, past the end is empty, and the counts agree. The list must hold at least two. Returns the first hundred.
   */
  pages(rpc: string, request: Message = {}): Promise<Message[]> {
    return eventually(() => this.readPages(rpc, request));
  }

  private async readPages(rpc: string, request: Message): Promise<Message[]> {
    const field = fieldsOf(rpc).find(({ kind }) => kind === 'list')?.name ?? '';
    const read = async (page?: number, page_size?: number): Promise<[Message[], Message]> => {
      const reply = await this.call(
        rpc,
        page === undefined ? request : { ...request, page: { page, page_size } },
      );
      return [reply[field] as Message[], reply['page'] as Message];
    };
    const [all, info] = await read(1, LARGEST_PAGE);
    const total_count = Number(info['total_count']);
    const infoOf = (page: number, page_size: number): Message => ({
      page,
      page_size,
      total_count,
      total_pages: Math.ceil(total_count / page_size),
    });
    expect(total_count).toBeGreaterThanOrEqual(2);
    expect([all.length, info]).toEqual([Math.min(total_count, LARGEST_PAGE), infoOf(1, LARGEST_PAGE)]);
    expect(await read(2, 1)).toEqual([[all[1]], infoOf(2, 1)]);
    expect((await read(1, 2))[0]).toEqual(all.slice(0, 2));
    const past = Math.ceil(total_count / 2) + 1;
    expect(await read(past, 2)).toEqual([[], infoOf(past, 2)]);
    expect((await read())[1]).toEqual(infoOf(1, 20));
    expect((await read(1, LARGEST_PAGE + 1))[1]).toEqual(info);
    return all;
  }
}
