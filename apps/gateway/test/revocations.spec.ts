import { describe, expect, it, jest } from '@jest/globals';
import { AppError } from '@reseller/errors';
import { eventually } from '@reseller/testing';
import { decodeProtectedHeader } from 'jose';
import { TestGateway, useGateway } from './support/gateway';
import { ACME, ACME_NORTH } from './support/samples';

const BALANCE = '/api/v1/wallet/balance';
const FROZEN = [401, 'UNAUTHORIZED_PARTNER_FROZEN'];
const INVALID = [401, 'UNAUTHORIZED_INVALID_TOKEN'];
const SERVED = [200, 'SUCCESS'];

describe('tokens that are taken back (spec §18.5)', () => {
  const gateway = useGateway();

  const outcomeOf = async (token: string): Promise<unknown[]> => {
    const { status, body } = await gateway.sendAs(token, BALANCE);
    return [status, body.state];
  };
  const delegated = (clientId: string): Promise<string> =>
    gateway.signer.sign({
      sub: ACME_NORTH,
      path: [ACME, ACME_NORTH],
      client_id: clientId,
      act: { sub: ACME, client_id: clientId },
    });

  it('when a partner is frozen, then its tokens, used before or not, are refused until it is unfrozen', async () => {
    const { revocations } = gateway.dependencies;
    const used = await gateway.signer.sign();
    const other = await gateway.signer.sign({ sub: ACME_NORTH, path: [ACME, ACME_NORTH] });
    expect([await outcomeOf(used), await outcomeOf(other)]).toEqual([SERVED, SERVED]);
    revocations.frozenPartnerIds = [ACME];
    await eventually(async () => expect(await outcomeOf(used)).toEqual(FROZEN));
    expect(await outcomeOf(await gateway.signer.sign())).toEqual(FROZEN);
    const refused = await gateway.sendAs(used, BALANCE);
    expect(refused.headers.get('www-authenticate')).toBe('Bearer');
    // What it acts for by itself goes on; whom is below it is identity's to say.
    expect(await outcomeOf(await delegated('acme-sandbox'))).toEqual(FROZEN);
    expect(await outcomeOf(other)).toEqual(SERVED);
    revocations.frozenPartnerIds = [];
    await eventually(async () => expect(await outcomeOf(used)).toEqual(SERVED));
  });

  it('when the process stood still meanwhile, then it refuses the tokens of its next requests all the same', async () => {
    const { revocations } = gateway.dependencies;
    const [used, fresh] = [await gateway.signer.sign(), await gateway.signer.sign()];
    expect(await outcomeOf(used)).toEqual(SERVED);
    const now = performance.now.bind(performance);
    revocations.frozenPartnerIds = [ACME];
    const clock = jest.spyOn(performance, 'now').mockImplementation(() => now() + 60_000);
    expect(await Promise.all([used, fresh].map(outcomeOf))).toEqual([FROZEN, FROZEN]);
    clock.mockRestore();
    revocations.frozenPartnerIds = [];
    await eventually(async () => expect(await outcomeOf(used)).toEqual(SERVED));
  });

  it('when a credential is revoked, then its tokens and delegated ones are refused, and no other’s', async () => {
    const { revocations } = gateway.dependencies;
    const own = await gateway.signer.sign({ client_id: 'lost' });
    const acting = await delegated('lost');
    expect([await outcomeOf(own), await outcomeOf(acting)]).toEqual([SERVED, SERVED]);
    revocations.revokedClientIds = ['lost'];
    revocations.frozenPartnerIds = [ACME];
    await eventually(async () => expect(await outcomeOf(own)).toEqual(INVALID));
    expect(await outcomeOf(acting)).toEqual(INVALID);
    revocations.frozenPartnerIds = [];
    const kept = await gateway.signer.sign({ client_id: 'kept' });
    await eventually(async () => expect(await outcomeOf(kept)).toEqual(SERVED));
    revocations.revokedClientIds = [];
  });

  it('when a signing key is revoked, then tokens by it, used before or not, are refused', async () => {
    const { revocations } = gateway.dependencies;
    const [used, other] = [await gateway.signer.sign(), await gateway.signer.sign()];
    expect(await outcomeOf(used)).toEqual(SERVED);
    const { kid } = decodeProtectedHeader(used);
    if (kid === undefined) throw new Error('the token names no key');
    revocations.revokedKeyIds = [kid];
    await eventually(async () => expect(await outcomeOf(used)).toEqual(INVALID));
    expect(await outcomeOf(other)).toEqual(INVALID);
    revocations.revokedKeyIds = [];
    await eventually(async () => expect(await outcomeOf(other)).toEqual(SERVED));
  });

  it('when identity is away, then what was revoked stays so and the rest is served', async () => {
    const { revocations, tokens } = gateway.dependencies;
    const token = await gateway.signer.sign({ client_id: 'lost' });
    const kept = await gateway.signer.sign({ client_id: 'kept' });
    revocations.revokedClientIds = ['lost'];
    await eventually(async () => expect(await outcomeOf(token)).toEqual(INVALID));
    const served = tokens.getRevocations;
    let failures = 0;
    tokens.getRevocations = () => {
      failures += 1;
      return Promise.reject(new AppError('SERVICE_UNAVAILABLE'));
    };
    await eventually(() => expect(failures).toBeGreaterThan(1));
    expect([await outcomeOf(token), await outcomeOf(kept)]).toEqual([INVALID, SERVED]);
    tokens.getRevocations = served;
    revocations.revokedClientIds = ['kept'];
    await eventually(async () => expect(await outcomeOf(kept)).toEqual(INVALID));
    expect(await outcomeOf(token)).toEqual(SERVED);
  });
});

it('when a gateway starts while identity does not say what is revoked, then it is not ready and returns 503 until it knows, and no 429 then', async () => {
  const gateway = await TestGateway.start({}, false);
  const { tokens } = gateway.dependencies;
  const served = tokens.getRevocations;
  tokens.getRevocations = () => Promise.reject(new AppError('SERVICE_UNAVAILABLE'));
  try {
    const settings = { ...gateway.dependencies.addresses, RATE_LIMIT_DEFAULT: '1' };
    const other = await TestGateway.start(settings, false);
    try {
      const token = await gateway.signer.sign();
      expect((await other.send('/readyz')).status).toBe(503);
      const { status, body } = await other.sendAs(token, BALANCE);
      expect([status, body.state]).toEqual([503, 'SERVICE_UNAVAILABLE']);
      tokens.getRevocations = served;
      await eventually(async () => expect((await other.send('/readyz')).status).toBe(200));
      expect((await other.sendAs(token, BALANCE)).status).toBe(200);
    } finally {
      await other.stop();
    }
  } finally {
    await gateway.stop();
  }
});
