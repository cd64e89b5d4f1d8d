import { describe, expect, it } from '@jest/globals';
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { OPERATOR_TOKEN, useBackoffice } from './support/backoffice';

const backoffice = useBackoffice();

describe('the envelope', () => {
  it('when the path or the method is unknown, then 404 or 405 in the envelope, without a token too', async () => {
    const unknown = await backoffice.send('GET', '/nothing', undefined, { authorization: '' });
    expect([unknown.status, unknown.body.state]).toEqual([404, 'NOT_FOUND_ROUTE']);
    const wrong = await backoffice.send('DELETE', '/partners', undefined, { authorization: '' });
    expect([wrong.status, wrong.body.state]).toEqual([405, 'METHOD_NOT_ALLOWED']);
    expect(wrong.headers.get('allow')).toBe('GET, HEAD, POST');
  });

  it('when a path holds a broken escape, then its parameter is at fault, after the token', async () => {
    const reply = await backoffice.send('GET', '/partners/%zz');
    expect(reply.body.details).toMatchObject({ errors: [{ path: 'id' }] });
    expect((await backoffice.send('GET', '/partners/%zz', undefined, { authorization: '' })).status).toBe(
      401,
    );
    expect((await backoffice.send('GET', '/Partners')).body.state).toBe('NOT_FOUND_ROUTE');
  });

  it('when a request names its id, then the response and its details carry it', async () => {
    const reply = await backoffice.send('GET', '/nothing', undefined, { 'x-request-id': 'my-id.1' });
    expect(reply.headers.get('x-request-id')).toBe('my-id.1');
    expect(reply.body.details).toMatchObject({ requestId: 'my-id.1', message: expect.any(String) });
  });

  it.each([
    ['is no JSON', '{"name":', 'application/json', 400, 'VALIDATION_MALFORMED_JSON'],
    ['is an array', '[1]', 'application/json', 400, 'VALIDATION_MALFORMED_JSON'],
    ['is a bare value', '"a"', 'application/json', 400, 'VALIDATION_MALFORMED_JSON'],
    ['is a form', 'name=Acme', 'application/x-www-form-urlencoded', 415, 'VALIDATION_UNSUPPORTED_MEDIA_TYPE'],
    [
      'is over 100 KiB',
      JSON.stringify({ name: 'a'.repeat(103_000) }),
      'application/json',
      413,
      'VALIDATION_PAYLOAD_TOO_LARGE',
    ],
  ])('when a body %s, then it is refused', async (_case, body, type, status, state) => {
    const reply = await backoffice.send('POST', '/partners', body, { 'content-type': type });
    expect([reply.status, reply.body.state]).toEqual([status, state]);
    expect(backoffice.rpcs()).toEqual([]);
  });

  it('when a body is compressed, then it is refused, and so is one where none is taken', async () => {
    const packed = await backoffice.send('POST', '/partners', gzipSync('{"name":"Acme"}'), {
      'content-encoding': 'gzip',
    });
    expect([packed.status, packed.body.state]).toEqual([415, 'VALIDATION_UNSUPPORTED_MEDIA_TYPE']);
    const extra = await backoffice.send('DELETE', '/credentials/pk_1', { now: true });
    expect(extra.body.details).toMatchObject({ errors: [{ path: 'now' }] });
    expect(backoffice.rpcs()).toEqual([]);
  });

  it('when a number cannot be held as it was written, then it is refused, not rounded', async () => {
    const money = (amount: string) =>
      `{"environment":"live","notes":"n","idempotencyKey":"k","amount":${amount}}`;
    for (const amount of ['10.10000000000000000001', '9007199254740993', '1e400', '"10"']) {
      const reply = await backoffice.send(
        'POST',
        `/partners/${backoffice.newPartner()}/wallet/credit`,
        money(amount),
      );
      expect(reply.body.details).toMatchObject({ errors: [{ path: 'amount' }] });
    }
    const rate = await backoffice.send('PUT', '/rates/USD', '{"rate":0.2666670000000001}');
    expect(rate.body.details).toMatchObject({ errors: [{ path: 'rate' }] });
    const share = await backoffice.send('POST', '/partners', { name: 'Acme', commissionRate: 0.1234567 });
    expect(share.body.details).toMatchObject({ errors: [{ path: 'commissionRate' }] });
    expect(backoffice.rpcs()).toEqual([]);
    await backoffice.send('POST', `/partners/${backoffice.newPartner()}/wallet/credit`, money('1.010e2'));
    expect(backoffice.calls.at(-1)?.request).toMatchObject({ amount: '101' });
  });

  it('when HEAD asks for a page, then the response is without its body', async () => {
    const response = await fetch(`${backoffice.url}/ops/v1/partners`, {
      method: 'HEAD',
      headers: { authorization: `Bearer ${OPERATOR_TOKEN}` },
    });
    expect([response.status, await response.text()]).toEqual([200, '']);
    expect(response.headers.get('cache-control')).toBe('no-store');
  });

  it('when bytes are no HTTP, then they get an envelope', async () => {
    const reply = await new Promise<string>((resolve, reject) => {
      const socket = connect(backoffice.port, '127.0.0.1');
      let text = '';
      socket.on('data', (chunk) => (text += chunk.toString()));
      socket.on('error', reject).on('close', () => resolve(text));
      socket.write('hello\r\n\r\n');
    });
    expect(reply).toMatch(/^HTTP\/1.1 400 /);
    expect(JSON.parse(reply.slice(reply.indexOf('\r\n\r\n') + 4))).toMatchObject({
      state: 'VALIDATION_FAILED',
      details: { requestId: /X-Request-Id: (\S+)/.exec(reply)?.[1] },
    });
  });

  it('when several fields are wrong, then every fault is named', async () => {
    const reply = await backoffice.send('POST', '/partners/nobody/wallet/credit', {
      environment: 'moon',
      amount: '10',
      notes: 'a\u0000b',
      extra: 1,
    });
    expect(reply.body.state).toBe('VALIDATION_FAILED');
    const { errors } = reply.body.details as { errors: { path: string }[] };
    expect(errors.map(({ path }) => path).sort()).toEqual([
      'amount',
      'environment',
      'extra',
      'id',
      'idempotencyKey',
      'notes',
    ]);
  });

  it.each([
    [
      '/partners/nobody/credentials',
      { environment: 'moon', expiresAt: '2020-01-01T00:00:00Z', allowedCidrs: ['203.0.113.0/24', 'nope'] },
      ['allowedCidrs.1', 'environment', 'expiresAt', 'id'],
    ],
    ['/partners', { name: '', billingEmail: 'nope' }, ['billingEmail', 'name']],
  ])(
    'when %s is sent what identity would refuse too, then that is named beside the rest',
    async (path, body, paths) => {
      const reply = await backoffice.send('POST', path, body);
      const { errors } = reply.body.details as { errors: { path: string }[] };
      expect(errors.map(({ path: at }) => at).sort()).toEqual(paths);
    },
  );

  it('when a time ends before it begins, then that is named beside the rest', async () => {
    const reply = await backoffice.send(
      'GET',
      '/overview?environment=moon&from=2026-02-01T00:00:00Z&to=2026-01-01T00:00:00Z',
    );
    const { errors } = reply.body.details as { errors: { path: string }[] };
    expect(errors.map(({ path }) => path).sort()).toEqual(['environment', 'to']);
  });

  it.each(['/dead-letters', '/reconciliation', '/approvals'])(
    'when a page of %s is farther than an offset reaches, then it is a page all the same (spec §1.6)',
    async (path) => {
      const { status } = await backoffice.send('GET', `${path}?page=2147483647&pageSize=100`);
      expect(status).toBe(200);
    },
  );

  it('when a service fails, then its error is passed on and a fault of ours shows nothing', async () => {
    backoffice.fakes.of('identity').fail('listPartners', 'SERVICE_UNAVAILABLE');
    const away = await backoffice.send('GET', '/partners');
    expect([away.status, away.body.state]).toEqual([503, 'SERVICE_UNAVAILABLE']);
    expect(Number(away.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
  });
});
