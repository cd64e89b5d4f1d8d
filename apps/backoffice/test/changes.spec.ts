import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  ApprovalServiceService,
  ApprovalStatus,
  OrderOperationsServiceService,
  OrderStatus,
} from '@reseller/contracts';
import { eventually } from '@reseller/testing';
import { TestBackoffice } from './support/backoffice';
import { aSummary } from './support/samples';

const backoffice = new TestBackoffice();
beforeEach(() => backoffice.start());
afterEach(() => backoffice.stop());

/** Has orders-saga say that it has so many orders. */
function haveOrders(totalCount: number): void {
  const orders = backoffice.fakes.of('orders-saga').handlers(OrderOperationsServiceService);
  orders.listAllOrders = ({ page, status }) => ({
    orders: status === OrderStatus.UNSPECIFIED ? [aSummary] : [],
    page: { ...page, totalCount, totalPages: totalCount },
  });
}

/** Opens the stream; what it has said so far, and its end. */
async function watch(): Promise<{ said: () => string; ended: Promise<string>; leave: () => Promise<void> }> {
  const response = await backoffice.fetch('/changes');
  expect(response.headers.get('content-type')).toBe('text/event-stream');
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let said = '';
  const ended = (async () => {
    for (let part = await reader.read(); !part.done; part = await reader.read()) said += part.value;
    return said;
  })();
  return { said: () => said, ended, leave: () => reader.cancel() };
}

const looks = (): number => backoffice.rpcs().filter((rpc) => rpc === 'listAllOrders').length;

describe('the stream of changes', () => {
  it('when something has changed, then each who listens gets its kind and nothing of what it is', async () => {
    haveOrders(1);
    const [one, other] = [await watch(), await watch()];
    await eventually(() => expect(looks()).toBeGreaterThan(0));
    haveOrders(2);
    for (const { said } of [one, other])
      await eventually(() =>
        expect(said()).toBe('retry: 1000\n\nevent: changed\ndata: {"topics":["orders"]}\n\n'),
      );
    await Promise.all([one.leave(), other.leave()]);
  });

  it('when an approval is requested and decided between two looks, then its change is sent, though as many wait as before', async () => {
    const approvals = backoffice.fakes.of('finance').handlers(ApprovalServiceService);
    const looked = new Set<ApprovalStatus>();
    let decided = 1;
    approvals.listApprovals = ({ status }) => {
      looked.add(status);
      return { approvals: [], totalCount: status === ApprovalStatus.PENDING ? 0 : decided };
    };
    const { said, leave } = await watch();
    // The stream begins after the first look.
    expect(looked.size).toBe(2);
    decided = 2;
    await eventually(() => expect(said()).toContain('{"topics":["approvals"]}'));
    await leave();
  });

  it('when a service is away, then the others are seen, and its changes once it is back', async () => {
    haveOrders(1);
    const { said, leave } = await watch();
    await eventually(() => expect(looks()).toBeGreaterThan(0));
    backoffice.fakes.of('finance').fail('listApprovals', 'SERVICE_UNAVAILABLE');
    haveOrders(2);
    await eventually(() => expect(said()).toContain('"orders"'));
    expect(said()).not.toContain('approvals');
    await leave();
  });

  it('when backoffice stops, then the stream ends as a whole response', async () => {
    haveOrders(1);
    const { ended } = await watch();
    await backoffice.stop();
    expect(await ended).toBe('retry: 1000\n\n');
  });

  it('when nobody is signed in, then there is no stream', async () => {
    const response = await fetch(`${backoffice.url}/ops/v1/changes`);
    expect(response.status).toBe(401);
  });
});
