import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import express from 'express';
import type { WebhookEvent } from '../src/events';
import { receiveWebhooks, type ReceiveOptions } from '../src/receive-webhooks';
import { eventBody, signedHeaders } from './sign';

const secret = 'whsec_one';
let server: Server;
let handled: { event: WebhookEvent; isTest: boolean }[];
let errors: unknown[];
let sender: Socket;
beforeEach(() => {
  handled = [];
  errors = [];
});
afterEach(async () => {
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
});

function receiver(options: Partial<ReceiveOptions> = {}): ReturnType<typeof receiveWebhooks> {
  return receiveWebhooks({
    secret,
    handle: (event, { isTest }) => void handled.push({ event, isTest }),
    onError: (error) => errors.push(error),
    ...options,
  });
}

async function serve(listener: RequestListener): Promise<void> {
  server = createServer(listener);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
}

const portOf = (): number => (server.address() as AddressInfo).port;

async function post(body: string, headers: Record<string, string>, method = 'POST'): Promise<Response> {
  const url = `http://127.0.0.1:${portOf()}/webhooks`;
  return fetch(url, { method, headers, ...(method === 'POST' && { body }) });
}

const deliver = async (body: string, more: Record<string, string> = {}): Promise<number> =>
  (await post(body, { ...signedHeaders(secret, body), ...more })).status;

describe('receiveWebhooks', () => {
  it('when an event is delivered twice, then both get 204 and it is handled once', async () => {
    await serve(express().post('/webhooks', receiver()));
    const body = eventBody();
    expect(await deliver(body)).toBe(204);
    expect(await deliver(body)).toBe(204);
    expect(await deliver(eventBody('another'), { 'X-Service-Test': 'true' })).toBe(204);
    expect(handled).toEqual([
      { event: JSON.parse(body), isTest: false },
      { event: expect.objectContaining({ eventId: 'another' }), isTest: true },
    ]);
    expect(errors).toEqual([]);
  });

  it('when a request is not signed right, then it gets 400 with the reason and not handled', async () => {
    await serve(receiver());
    const response = await post(eventBody(), signedHeaders('whsec_other', eventBody()));
    expect([response.status, await response.json()]).toEqual([400, { error: 'signature-mismatch' }]);
    expect((await post(eventBody(), {})).status).toBe(400);
    expect(await deliver(eventBody(), { 'X-Service-Timestamp': '1' })).toBe(400);
    expect(handled).toEqual([]);
    expect(errors).toHaveLength(3);
  });

  it('when a signature header comes twice, then it is refused though the first is right', async () => {
    await serve(receiver());
    const body = eventBody();
    const headers = Object.entries(signedHeaders(secret, body)).map(([name, value]) => `${name}: ${value}`);
    const twice = [...headers, headers[1], `Content-Length: ${body.length}`, 'Connection: close', 'Host: x'];
    const socket = connect(portOf(), '127.0.0.1');
    socket.end(`POST / HTTP/1.1\r\n${twice.join('\r\n')}\r\n\r\n${body}`);
    let response = '';
    for await (const chunk of socket) response += String(chunk);
    expect(response).toMatch(/^HTTP\/1.1 400 [^]*duplicate-header/);
  });

  it('when the body is larger than the limit, announced or not, then it gets 413', async () => {
    await serve(receiver({ maxBytes: 400 }));
    const small = eventBody();
    expect(await deliver(small)).toBe(204);
    const large = `${small}${' '.repeat(400)}`;
    expect(await deliver(large)).toBe(413);
    const chunked = { method: 'POST', headers: signedHeaders(secret, large), duplex: 'half' } as const;
    const body = new Blob([large]).stream();
    const response = await fetch(`http://127.0.0.1:${portOf()}/`, { ...chunked, body } as RequestInit);
    // What follows on the connection is the rest of the body and no request.
    expect([response.status, response.headers.get('connection')]).toEqual([413, 'close']);
    expect(handled).toHaveLength(1);
  });

  it('when the handler fails, then it gets 500, and the same event is handled when it comes again', async () => {
    let isBroken = true;
    const handle: ReceiveOptions['handle'] = async (event) => {
      if (isBroken) throw new Error('no database');
      handled.push({ event, isTest: false });
    };
    await serve(receiver({ handle }));
    expect(await deliver(eventBody())).toBe(500);
    isBroken = false;
    expect(await deliver(eventBody())).toBe(204);
    expect(handled).toHaveLength(1);
    expect(errors).toEqual([new Error('no database')]);
  });

  it('when it is no POST, then it gets 405', async () => {
    await serve(receiver());
    const response = await post('', {}, 'GET');
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST']);
  });

  it('when express.raw() was there before, then its bytes are verified; when express.json() was, then it says so', async () => {
    const app = express();
    app.post('/raw', express.raw({ type: '*/*' }), receiver());
    app.post('/json', express.json(), receiver());
    await serve(app);
    const body = eventBody();
    const headers = { ...signedHeaders(secret, body), 'Content-Type': 'application/json' };
    const statusOf = async (path: string): Promise<number> =>
      (await fetch(`http://127.0.0.1:${portOf()}${path}`, { method: 'POST', headers, body })).status;
    expect(await statusOf('/raw')).toBe(204);
    expect(await statusOf('/json')).toBe(500);
    expect(String(errors[0])).toContain('mount it before express.json()');
  });

  it('when the sender goes away before the body is looked at, then that is an error, and nobody waits for ever', async () => {
    const receive = receiver();
    const received = new Promise<void>((resolve, reject) => {
      const listener: RequestListener = (request, response) => {
        sender.destroy();
        // As a middleware that is at work meanwhile.
        request.once('close', () => void receive(request, response).then(resolve, reject));
      };
      void serve(listener).then(() => {
        sender = connect(portOf(), '127.0.0.1');
        sender.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n{');
      });
    });
    await received;
    expect(String(errors[0])).toContain('the sender went away');
  });

  it('when secrets change over, then they are read at each request', async () => {
    let secrets = ['whsec_new'];
    await serve(receiver({ secret: async () => secrets }));
    expect(await deliver(eventBody())).toBe(400);
    for (secrets of [
      ['whsec_new', secret],
      [secret, 'whsec_old'],
    ])
      expect(await deliver(eventBody())).toBe(204);
  });
});
