import { describe, expect, it } from '@jest/globals';
import { eventually } from '@reseller/testing';
import { uncertain, useHttpVendor } from '../../../../test/use-http-vendor';
import { VendorNotAcceptedError } from '../domain/vendor';

const stage = useHttpVendor();
const { make, say, seen, submit, url } = stage;
const { signal } = new AbortController();

describe('the circuit breaker of a vendor', () => {
  const stateIs = async (state: number) =>
    expect(await stage.metrics.metrics()).toContain(`vendor_breaker_state{vendor="acme"} ${state}\n`);
  const fail = async (times: number) => {
    for (let i = 0; i < times; i += 1) await uncertain(submit());
  };

  it('when faults come in a row, then it opens: nothing is sent, and that is certain', async () => {
    say(500, {});
    await fail(2);
    await stateIs(0);
    await fail(1);
    await stateIs(2);
    await expect(submit()).rejects.toBeInstanceOf(VendorNotAcceptedError);
    await uncertain(stage.vendor.inquire('TU-1', { signal }));
    expect(seen).toHaveLength(3);
    expect(await stage.metrics.metrics()).toContain(
      'vendor_breaker_transitions_total{vendor="acme",to="open"} 1\n',
    );
  });

  it('when it responds between them, then they are not in a row', async () => {
    for (let round = 0; round < 3; round += 1) {
      say(500, {});
      await fail(2);
      say(200, { status: 'refused', vendorOrderId: null, reason: 'No.' });
      expect(await submit()).toMatchObject({ kind: 'refused' });
    }
    await stateIs(0);
  });

  it('when it refuses, finds requests unfit, says that it took nothing, or callers give up, then those are no faults', async () => {
    const replies: [number, unknown][] = [
      [200, { status: 'refused', vendorOrderId: null, reason: 'No.' }],
      [400, {}],
      [409, {}],
      [503, { error: { taken: false } }],
    ];
    for (const [status, body] of replies) {
      say(status, body);
      for (let i = 0; i < 4; i += 1) await submit().catch(() => undefined);
    }
    for (let i = 0; i < 4; i += 1) {
      const controller = new AbortController();
      stage.behave = () => controller.abort();
      await uncertain(submit(controller.signal));
    }
    await stateIs(0);
  });

  it('when its time is up, then a question tries the vendor out, one at a time, and orders go through when it is answered', async () => {
    await stage.vendor.close();
    stage.vendor = make(url(), { faults: 1, openMs: 1 });
    stage.behave = (request) => request.socket.destroy();
    await fail(1);
    await stateIs(2);
    // The question fails: the order was not sent, which is certain.
    await eventually(async () => {
      await expect(submit()).rejects.toBeInstanceOf(VendorNotAcceptedError);
      expect(seen.filter(({ method }) => method === 'GET').length).toBeGreaterThan(0);
    });
    expect(seen.filter(({ method }) => method === 'POST')).toHaveLength(1);
    await stateIs(2);
    // The next inquiry waits for its response, and meanwhile nobody else is let through.
    let sendReply: (() => void) | undefined;
    stage.behave = (request, response) => {
      const isQuestion = request.method === 'GET';
      const body = isQuestion
        ? { error: { code: 'ORDER_NOT_FOUND' } }
        : { status: 'success', vendorOrderId: 'V-1', reason: null };
      const send = () => void response.writeHead(isQuestion ? 404 : 200).end(JSON.stringify(body));
      if (isQuestion) sendReply = send;
      else send();
    };
    const tries: Promise<unknown>[] = [];
    await eventually(() => {
      tries.push(submit().catch(() => undefined));
      return eventually(() => expect(sendReply).toBeDefined(), { timeoutMs: 50 });
    });
    await stateIs(1);
    await expect(submit()).rejects.toBeInstanceOf(VendorNotAcceptedError);
    sendReply!();
    expect(await Promise.all(tries)).toContainEqual(expect.objectContaining({ kind: 'success' }));
    await stateIs(0);
    expect(await submit()).toMatchObject({ kind: 'success' });
    expect(seen.at(-1)?.method).toBe('POST');
  });

  it('when the inquiry already returns the outcome, then the order is not sent again', async () => {
    await stage.vendor.close();
    stage.vendor = make(url(), { faults: 1, openMs: 1 });
    stage.behave = (request) => request.socket.destroy();
    await fail(1);
    say(200, { status: 'success', vendorOrderId: 'V-1', reason: null });
    await eventually(async () => expect(await submit()).toMatchObject({ kind: 'success' }));
    expect(seen.filter(({ method }) => method === 'POST')).toHaveLength(1);
  });

  it('when the lease runs out during the inquiry, then the order is not sent, and the vendor is not at fault', async () => {
    await stage.vendor.close();
    stage.vendor = make(url(), { faults: 1, openMs: 1 });
    stage.behave = (request) => request.socket.destroy();
    await fail(1);
    stage.behave = (_, response) => {
      stage.hasLease = false;
      response.writeHead(404).end(JSON.stringify({ error: { code: 'ORDER_NOT_FOUND' } }));
    };
    await eventually(async () => {
      await submit().catch(() => undefined);
      expect(stage.hasLease).toBe(false);
    });
    expect(seen.filter(({ method }) => method === 'POST')).toHaveLength(1);
    await stateIs(0);
  });
});
