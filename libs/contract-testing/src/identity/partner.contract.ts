import { expect } from '@jest/globals';
import type { Message } from '../contract';
import { operatorRpc, rpc, service, type Sentences } from '../notation';
import { UNKNOWN } from '../variations';
import type { World } from '../world';
import { credentialOf, family, register, update } from './arrange';

const auditOf = (world: World, { id }: Message): Promise<Message[]> =>
  world.list('ListAuditEntries', { partner_id: id });

/** Every rule that both ways to give a setting share. */
const badSettings: Sentences = {
  'VALIDATION_FAILED: an empty name': { name: ' ' },
  'VALIDATION_FAILED: an unknown currency': { display_currency: 'usd' },
  'VALIDATION_FAILED: a commission rate above 1': { commission_rate: '1.1' },
  'VALIDATION_FAILED: a commission rate of seven decimals': { commission_rate: '0.1234567' },
  'VALIDATION_FAILED: an e-mail address that is none': { billing_email: 'nobody' },
  'VALIDATION_FAILED: a parent id that is none': { parent_partner_id: 'root' },
};

/** Partners, their hierarchy and their credentials. */
export const partners = service('PartnerService', {
  CreatePartner: operatorRpc(async (world) => [world, { name: 'Acme' }], {
    'registers an active partner with the settings given, at version 1, and audits it': async (use) => {
      const given = {
        name: 'Acme',
        display_currency: 'USD',
        is_vat_registered: true,
        tax_registration_number: '311',
        commission_rate: '0.125',
        marketing_enabled: true,
        billing_email: 'billing@acme.example',
      };
      const partner = await register(use, given);
      expect(partner).toEqual({
        ...given,
        id: expect.any(String),
        global_id: expect.stringMatching(/^PRT-\d{6,}$/),
        path: [partner.id],
        is_active: true,
        version: 1,
        created_at: expect.any(String),
      });
      expect(await auditOf(use, partner)).toMatchObject([
        {
          actor_type: 'ACTOR_TYPE_OPERATOR',
          operator: 'Olga',
          action: 'partner.create',
          subject: partner.global_id,
          request_id: 'contract',
        },
      ]);
    },
    'puts it below its parent': async (use) => {
      const [{ id }, child] = await family(use);
      expect(child).toMatchObject({ parent_partner_id: id, path: [id, child.id] });
    },
    'each call makes a partner': async (use) => {
      const [one, other] = [await register(use), await register(use)];
      expect(one.id).not.toBe(other.id);
      expect(one.global_id).not.toBe(other.global_id);
    },
    ...badSettings,
    'NOT_FOUND_PARTNER: an unknown parent': { parent_partner_id: UNKNOWN },
  }),
  UpdatePartner: operatorRpc(
    async (world) => [world, { partner_id: (await register(world)).id, name: 'Two' }],
    {
      'changes what is present, leaves the rest, and counts the version up': async (use) => {
        const partner = await register(use, { display_currency: 'USD', tax_registration_number: '311' });
        const changes = { name: 'Acme Two', marketing_enabled: true };
        expect(await update(use, partner, changes)).toEqual({ ...partner, ...changes, version: 2 });
        const actions = (await auditOf(use, partner)).map(({ action }) => action);
        expect(actions).toEqual(['partner.update', 'partner.create']);
      },
      'clears a nullable setting by an empty text': async (use) => {
        const partner = await register(use, { display_currency: 'USD', commission_rate: '0.1' });
        const changed = await update(use, partner, { display_currency: '', commission_rate: '' });
        for (const field of ['display_currency', 'commission_rate'])
          expect(changed).not.toHaveProperty(field);
      },
      'repeated, it changes nothing, and what changes nothing is neither audited nor published': async (
        use,
      ) => {
        const partner = await register(use);
        const changed = await update(use, partner, { name: 'Acme Two' });
        expect(await update(use, partner, { name: 'Acme Two' })).toEqual(changed);
        expect(await auditOf(use, partner)).toHaveLength(2);
        await use.eventsOf(String(partner.id), 2);
      },
      'moves a partner with its descendants, and an empty parent makes it a root': async (use) => {
        const root = await register(use);
        const [branch, leaf] = await family(use);
        const moved = await update(use, branch, { parent_partner_id: root.id });
        expect(moved.path).toEqual([root.id, branch.id]);
        const carried = await use.get('GetPartner', { partner_id: leaf.id });
        expect(carried).toMatchObject({ path: [root.id, branch.id, leaf.id], version: 2 });
        const freed = await update(use, branch, { parent_partner_id: '' });
        expect(freed).not.toHaveProperty('parent_partner_id');
        expect(freed.path).toEqual([branch.id]);
      },
      ...badSettings,
      'VALIDATION_FAILED: itself as its parent': async (use) => {
        const { request, call } = await use.given();
        return call({ parent_partner_id: request.partner_id });
      },
      'VALIDATION_FAILED: a descendant as its parent': async (use) => {
        const [parent, child] = await family(use);
        return update(use, parent, { parent_partner_id: child.id });
      },
      'NOT_FOUND_PARTNER: an unknown partner': { partner_id: UNKNOWN },
      'NOT_FOUND_PARTNER: an id that is none': { partner_id: 'acme' },
      'NOT_FOUND_PARTNER: an unknown new parent': { parent_partner_id: UNKNOWN },
    },
  ),
  GetPartner: rpc(async (world) => [world], {
    'answers the partner as it stands now': async (use) => {
      const partner = await register(use);
      const changed = await update(use, partner, { name: 'Acme Two' });
      expect(await use.get('GetPartner', { partner_id: partner.id })).toEqual(changed);
    },
    'NOT_FOUND_PARTNER: an unknown id': { partner_id: UNKNOWN },
    'NOT_FOUND_PARTNER: an id that is none': { partner_id: 'acme' },
  }),
  ListPartners: rpc(undefined, {
    'lists newest first, page by page': async (use) => {
      const [older, newer] = [await register(use), await register(use)];
      expect((await use.pages('ListPartners')).slice(0, 2)).toEqual([newer, older]);
    },
  }),
  CreateCredential: operatorRpc(
    async (world) => [world, { partner_id: (await register(world)).id, environment: 'ENVIRONMENT_LIVE' }],
    {
      'makes a credential with a secret of 32 random bytes; each call makes another': async (use) => {
        const { request, call } = await use.given();
        const [made, other] = [await call(), await call()];
        expect(made).toEqual({
          ...request,
          client_id: expect.any(String),
          client_secret: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/),
          created_at: expect.any(String),
        });
        expect(other.client_id).not.toBe(made.client_id);
        expect(other.client_secret).not.toBe(made.client_secret);
        const audited = JSON.stringify(await auditOf(use, { id: request.partner_id }));
        expect(audited).not.toContain(made.client_secret);
      },
      'VALIDATION_FAILED: no environment': { environment: 'ENVIRONMENT_UNSPECIFIED' },
      'NOT_FOUND_PARTNER: an unknown partner': { partner_id: UNKNOWN },
    },
  ),
  RevokeCredential: operatorRpc(
    async (world) => [world, { client_id: (await credentialOf(world, await register(world))).client_id }],
    {
      'ends a credential; a second time answers the first revocation': async (use) => {
        const partner = await register(use);
        const { client_id } = await credentialOf(use, partner);
        expect(await use.twice('RevokeCredential', { client_id })).toEqual({
          client_id,
          partner_id: partner.id,
          environment: 'ENVIRONMENT_SANDBOX',
          revoked_at: expect.any(String),
        });
      },
      'NOT_FOUND_CREDENTIAL: an unknown client id': { client_id: 'nobody' },
    },
  ),
});
