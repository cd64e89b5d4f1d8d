import { expect } from '@jest/globals';
import { v7 as uuidv7 } from 'uuid';
import type { Message, ServiceContract } from '../contract';
import { list, part, text } from '../message';
import { expectPages } from '../paging';
import type { World } from '../world';
import { credentialOf, operator, register } from './arrange';

const update = async (world: World, { id }: Message, changes: Message) =>
  part(await world.call('PartnerService.UpdatePartner', { partner_id: id, ...changes }, operator), 'partner');

const auditOf = async (world: World, { id }: Message): Promise<Message[]> =>
  list(await world.call('AuditService.ListAuditEntries', { partner_id: id }), 'entries');

/** Every rule that both ways to give a setting share. */
const badSettings: Readonly<Record<string, Message>> = {
  'an empty name': { name: ' ' },
  'an unknown currency': { display_currency: 'usd' },
  'a commission rate above 1': { commission_rate: '1.1' },
  'a commission rate of seven decimals': { commission_rate: '0.1234567' },
  'an e-mail address that is none': { billing_email: 'nobody' },
  'a parent id that is none': { parent_partner_id: 'root' },
};

/** Partners, their hierarchy and their credentials. */
export const partners: ServiceContract = {
  service: 'PartnerService',
  speaksFor: 'whom the request names',
  rpcs: {
    CreatePartner: {
      needsOperator: true,
      promises: {
        'registers an active partner with the settings given, at version 1, and audits it': async (world) => {
          const given = {
            name: 'Acme',
            display_currency: 'USD',
            is_vat_registered: true,
            tax_registration_number: '311',
            commission_rate: '0.125',
            marketing_enabled: true,
            billing_email: 'billing@acme.example',
          };
          const partner = await register(world, given);
          expect(partner).toEqual({
            ...given,
            id: expect.any(String),
            global_id: expect.stringMatching(/^PRT-\d{6,}$/),
            path: [partner['id']],
            is_active: true,
            version: 1,
            created_at: expect.any(String),
          });
          expect(await auditOf(world, partner)).toMatchObject([
            {
              actor_type: 'ACTOR_TYPE_OPERATOR',
              operator: 'Olga',
              action: 'partner.create',
              subject: partner['global_id'],
              request_id: 'contract',
            },
          ]);
        },
        'puts it below its parent': async (world) => {
          const parent = await register(world);
          const child = await register(world, { parent_partner_id: parent['id'] });
          expect(child).toMatchObject({ parent_partner_id: parent['id'], path: [parent['id'], child['id']] });
        },
        'each call makes a partner': async (world) => {
          const [one, other] = [await register(world), await register(world)];
          expect(one['id']).not.toBe(other['id']);
          expect(one['global_id']).not.toBe(other['global_id']);
        },
      },
      refuses: {
        VALIDATION_FAILED: Object.fromEntries(
          Object.entries(badSettings).map(([what, settings]) => [
            what,
            (world: World) => register(world, settings),
          ]),
        ),
        NOT_FOUND_PARTNER: {
          'an unknown parent': (world) => register(world, { parent_partner_id: uuidv7() }),
        },
      },
    },
    UpdatePartner: {
      needsOperator: true,
      promises: {
        'changes what is present, leaves the rest, and counts the version up': async (world) => {
          const partner = await register(world, { display_currency: 'USD', tax_registration_number: '311' });
          const changed = await update(world, partner, { name: 'Acme Two', marketing_enabled: true });
          expect(changed).toEqual({ ...partner, name: 'Acme Two', marketing_enabled: true, version: 2 });
          expect((await auditOf(world, partner)).map(({ action }) => action)).toEqual([
            'partner.update',
            'partner.create',
          ]);
        },
        'clears a nullable setting by an empty text': async (world) => {
          const partner = await register(world, { display_currency: 'USD', commission_rate: '0.1' });
          const changed = await update(world, partner, { display_currency: '', commission_rate: '' });
          expect(changed).not.toHaveProperty('display_currency');
          expect(changed).not.toHaveProperty('commission_rate');
        },
        'repeated, it changes nothing, and what changes nothing is neither audited nor published': async (
          world,
        ) => {
          const partner = await register(world);
          const changed = await update(world, partner, { name: 'Acme Two' });
          expect(await update(world, partner, { name: 'Acme Two' })).toEqual(changed);
          expect(await auditOf(world, partner)).toHaveLength(2);
          await world.eventsOf(text(partner, 'id'), 2);
        },
        'moves a partner with its descendants, and an empty parent makes it a root': async (world) => {
          const [root, branch] = [await register(world), await register(world)];
          const leaf = await register(world, { parent_partner_id: branch['id'] });
          const moved = await update(world, branch, { parent_partner_id: root['id'] });
          expect(moved['path']).toEqual([root['id'], branch['id']]);
          const carried = await world.call('PartnerService.GetPartner', { partner_id: leaf['id'] });
          expect(carried['partner']).toMatchObject({
            path: [root['id'], branch['id'], leaf['id']],
            version: 2,
          });
          const freed = await update(world, branch, { parent_partner_id: '' });
          expect(freed).not.toHaveProperty('parent_partner_id');
          expect(freed['path']).toEqual([branch['id']]);
        },
      },
      refuses: {
        VALIDATION_FAILED: {
          ...Object.fromEntries(
            Object.entries(badSettings).map(([what, settings]) => [
              what,
              async (world: World) => update(world, await register(world), settings),
            ]),
          ),
          'itself as its parent': async (world) => {
            const partner = await register(world);
            return update(world, partner, { parent_partner_id: partner['id'] });
          },
          'a descendant as its parent': async (world) => {
            const partner = await register(world);
            const child = await register(world, { parent_partner_id: partner['id'] });
            return update(world, partner, { parent_partner_id: child['id'] });
          },
        },
        NOT_FOUND_PARTNER: {
          'an unknown partner': (world) => update(world, { id: uuidv7() }, { name: 'Acme' }),
          'an id that is none': (world) => update(world, { id: 'acme' }, { name: 'Acme' }),
          'an unknown new parent': async (world) =>
            update(world, await register(world), { parent_partner_id: uuidv7() }),
        },
      },
    },
    GetPartner: {
      promises: {
        'answers the partner as it stands now': async (world) => {
          const partner = await register(world);
          const changed = await update(world, partner, { name: 'Acme Two' });
          expect(await world.call('PartnerService.GetPartner', { partner_id: partner['id'] })).toEqual({
            partner: changed,
          });
        },
      },
      refuses: {
        NOT_FOUND_PARTNER: {
          'an unknown id': (world) => world.call('PartnerService.GetPartner', { partner_id: uuidv7() }),
          'an id that is none': (world) => world.call('PartnerService.GetPartner', { partner_id: 'acme' }),
        },
      },
    },
    ListPartners: {
      promises: {
        'lists newest first, page by page': async (world) => {
          const [older, newer] = [await register(world), await register(world)];
          const all = await expectPages(world, { rpc: 'PartnerService.ListPartners', field: 'partners' });
          expect(all.slice(0, 2)).toEqual([newer, older]);
        },
      },
    },
    CreateCredential: {
      needsOperator: true,
      promises: {
        'makes a credential with a secret of 32 random bytes; each call makes another': async (world) => {
          const partner = await register(world);
          const request = { partner_id: partner['id'], environment: 'ENVIRONMENT_LIVE' };
          const answer = await world.call('PartnerService.CreateCredential', request, operator);
          expect(answer).toEqual({
            ...request,
            client_id: expect.any(String),
            client_secret: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/),
            created_at: expect.any(String),
          });
          const other = await world.call('PartnerService.CreateCredential', request, operator);
          expect(other['client_id']).not.toBe(answer['client_id']);
          expect(other['client_secret']).not.toBe(answer['client_secret']);
          expect(JSON.stringify(await auditOf(world, partner))).not.toContain(answer['client_secret']);
        },
      },
      refuses: {
        VALIDATION_FAILED: {
          'no environment': async (world) =>
            credentialOf(world, await register(world), 'ENVIRONMENT_UNSPECIFIED'),
        },
        NOT_FOUND_PARTNER: {
          'an unknown partner': (world) => credentialOf(world, { id: uuidv7() }),
        },
      },
    },
    RevokeCredential: {
      needsOperator: true,
      promises: {
        'ends a credential; a second time answers the first revocation': async (world) => {
          const partner = await register(world);
          const { client_id } = await credentialOf(world, partner);
          const answer = await world.call('PartnerService.RevokeCredential', { client_id }, operator);
          expect(answer).toEqual({
            client_id,
            partner_id: partner['id'],
            environment: 'ENVIRONMENT_SANDBOX',
            revoked_at: expect.any(String),
          });
          expect(await world.call('PartnerService.RevokeCredential', { client_id }, operator)).toEqual(
            answer,
          );
        },
      },
      refuses: {
        NOT_FOUND_CREDENTIAL: {
          'an unknown client id': (world) =>
            world.call('PartnerService.RevokeCredential', { client_id: 'nobody' }, operator),
        },
      },
    },
  },
};
