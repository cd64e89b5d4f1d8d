import { expect } from '@jest/globals';
import type { DescMethod } from '@bufbuild/protobuf';
import type { Actor } from './actor';
import { rpc, type ListContract, type Message, type RpcContract, type Sentences, type Use } from './contract';
import { Party } from './party';
import { otherThan } from './reader';
import { settled } from './refusal';
import { rpcComment } from './schema/promised-errors';

/** An RPC that lists what `make` made; the sentences of its own, and values that filters must tell apart from an item's. */
export const lists = (
  make: ListContract['make'],
  sentences: Sentences = {},
  others: Message = {},
): RpcContract => ({
  ...rpc(async (world) => {
    const [who, , request] = await make(world);
    return [who, request];
  }, sentences),
  list: { make, others },
});

/** What a list is sorted by, where its comment says so of texts. */
const SORTED: readonly (readonly [RegExp, string])[] = [
  [/\bby name\b/i, 'name'],
  [/\bby sku\b/i, 'sku'],
  [/\border of their currencies\b/, 'currency'],
];
const LARGEST = 100;

/**
 * What a list is held to by its .proto file: the order that the comment says, the paging of its request, that a partner's has nothing
 * of another's, and a filter for each field of the request that an item has by the same name, for its time, and for a search.
 */
export function listSentences(
  method: DescMethod,
  isPartners: boolean,
  { make, others }: ListContract,
): Sentences {
  const { prose } = rpcComment(method);
  const rpc = `${method.parent.name}.${method.name}`;
  const fields = method.output.fields.find(({ fieldKind }) => fieldKind === 'list')?.message?.fields ?? [];
  const names = fields.map(({ name }) => name);
  const id = names.find((name) => /(^|_)id$/.test(name)) ?? '';
  const time = names.find((name) => /^(submitted|occurred)_at$/.test(name)) ?? '';
  const takes = (field: string): boolean => method.input.fields.some(({ name }) => name === field);
  const text = SORTED.find(([says]) => says.test(prose))?.[1];
  const isNewestFirst = /\bnewest\b/i.test(prose);
  const isOwn = isPartners && !text;
  const all = {
    ...(takes('page') && { page: { page: 1, page_size: LARGEST } }),
    ...(takes('limit') && { limit: LARGEST }),
  };
  const filters = method.input.fields
    .filter(({ name, fieldKind }) => fields.some((one) => one.name === name && one.fieldKind === fieldKind))
    .map(({ name }) => name);
  const kept = [...filters, 'search', 'from_at'].filter(takes);

  const shown = (made: readonly Message[]): unknown[] =>
    made.map((one) => Object.fromEntries(Object.entries(one).filter(([name]) => names.includes(name))));

  let made: ReturnType<typeof make> | undefined;
  /** What is listed, made once: reading it changes nothing. */
  const makeOnce = (use: Use) => (made ??= make(use));

  const inOrder = async (use: Use): Promise<void> => {
    if (isOwn) await make(use);
    const [who, items = [], request] = await makeOnce(use);
    const listed = takes('page') ? await who.pages(rpc, request) : await pieces(who, request);
    if (text) {
      const texts = listed.map((one) => String(one[text]));
      expect(texts).toEqual([...texts].sort());
      for (const one of shown(items)) expect(listed).toContainEqual(expect.objectContaining(one as object));
      return;
    }
    const isWhole = who instanceof Party || request !== undefined;
    const inOrder = shown(isNewestFirst ? [...items].reverse() : items);
    expect(isWhole ? listed : listed.slice(0, items.length)).toMatchObject(inOrder);
    if (!isOwn || !(who instanceof Party)) return;
    const elsewhere = [use.partner(), who.elsewhere()].map((one) => one.list(rpc, { ...all, ...request }));
    expect((await settled(elsewhere)).replies.flat()).toEqual([]);
  };

  const pieces = async (who: Actor, request: Message = {}): Promise<Message[]> => {
    const listed = await who.list(rpc, { ...all, ...request });
    if (takes('limit')) expect(await who.list(rpc, { ...request, limit: 1 })).toEqual(listed.slice(0, 1));
    if (takes('offset'))
      expect(await who.list(rpc, { ...request, offset: 1, limit: 1 })).toEqual(listed.slice(1, 2));
    return listed;
  };

  /** Who lists, the request, its last item as it is listed, and the values of it that can be filtered by. */
  const filtered = async (use: Use) => {
    const [who, items = [], request = {}] = await makeOnce(use);
    const listed = await who.list(rpc, { ...all, ...request });
    const last = items.at(-1);
    const item = last ? listed.find((one) => one[id] === last[id]) : listed[0];
    if (!item) throw new Error(`${rpc} does not list what was made`);
    const search = swapped(String(item[text ?? '']).slice(1));
    const values: Record<string, unknown> = { ...(takes('search') && { search }) };
    for (const { name } of method.input.fields) {
      const value = request[name] ?? (filters.includes(name) ? item[name] : last?.[name]);
      if (filters.includes(name) && value == null)
        throw new Error(`${rpc}: no item has ${name} to filter by`);
      if (value !== undefined && name !== 'limit') values[name] = value;
    }
    return { who, items, request: { ...all, ...request }, item, values };
  };

  const keepsTo = async (use: Use): Promise<void> => {
    const { who, request, item, values } = await filtered(use);
    const [at, next] = [new Date(String(item[time])), new Date(Date.parse(String(item[time])) + 1)];
    const isSpanned = takes('from_at');
    const inside = { ...request, ...values, ...(isSpanned && { from_at: at, to_at: next }) };
    const listed = await who.list(rpc, inside);
    expect(listed.map((one) => one[id])).toContain(item[id]);
    for (const name of [...filters, ...(isSpanned ? [time] : [])])
      if (!(name in request)) for (const one of listed) expect(one).toMatchObject({ [name]: item[name] });
    const outside = Object.keys(values).map((name) => [
      name,
      others[name] ?? otherThan(rpc, name, values[name]),
    ]);
    if (isSpanned) outside.push(['from_at', next], ['to_at', at]);
    for (const [name, value] of outside as [string, unknown][]) {
      const { from_at: _, to_at: __, ...rest } = inside;
      const { replies, refusals } = await settled([who.list(rpc, { ...rest, [name]: value })]);
      for (const { code } of refusals) expect(code).toMatch(/^NOT_FOUND_/);
      expect([name, replies.flat().filter((one) => one[id] === item[id])]).toEqual([name, []]);
    }
  };

  const oldestFirst = async (use: Use): Promise<void> => {
    const { who, items, values } = await filtered(use);
    const { partner_id } = values;
    const listed = await who.pages(rpc, {
      ...(partner_id !== undefined && { partner_id }),
      oldest_first: true,
    });
    expect(listed.slice(-items.length)).toMatchObject(shown(items));
  };

  const order = text ? `by ${text}` : isNewestFirst ? 'newest first' : 'in the order in which they were made';
  const paged = takes('page') ? ', page by page' : '';
  const own = isOwn ? ', nothing of another partner or environment' : '';
  return {
    [`lists ${order}${paged}${own}`]: inOrder,
    ...(takes('oldest_first') && { 'lists the oldest first where that is requested': oldestFirst }),
    ...(kept.length > 0 && {
      [`keeps to ${kept.join(', ').replace('from_at', 'a time from inclusive to exclusive')}`]: keepsTo,
    }),
  };
}

/** A text in the other letter case. */
const swapped = (text: string): string =>
  text === text.toUpperCase() ? text.toLowerCase() : text.toUpperCase();
