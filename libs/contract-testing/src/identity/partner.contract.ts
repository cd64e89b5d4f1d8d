import { expect, lists, operatorRpc, reads, rpc, service, UNKNOWN, UNREACHABLE } from '../prelude';
import type { Case, Message, World } from '../prelude';
import { auditOf, credentialOf, family, freeze, ofNew, register, update } from './arrange';

const SETTINGS = {
  display_currency: 'USD',
  is_vat_registered: true,
  tax_registration_number: '311',
  commission_rate: '0.125',
  marketing_enabled: true,
  billing_email: 'billing@acme.example',
};

const idOf = ({ id }: Message): Message => ({ partner_id: id });

const changed = async (world: World) =>
  [world, await update(world, await register(world), { name: 'Acme Two' })] as const;

const changesOnce: Case = async (use, { who, request }) => {
  await who.twice(use.rpc, request);
  expect(await auditOf(use, { id: request.partner_id })).toHaveLength(2);
  await use.eventsOf(String(request.partner_id), 2);
};

const ofCredential = async (world: World) =>
  [world, { client_id: (await credentialOf(world, await register(world))).client_id }] as const;

/** A credential that was used, and one that was revoked. */
async function ofUsed(world: World) {
  const partner = await register(world);
  const used = await credentialOf(world, partner);
  const limits = { expires_at: new Date('2999-01-01T00:00:00Z'), allowed_cidrs: ['203.0.113.0/24'] };
  const { client_id } = await credentialOf(world, partner, 'ENVIRONMENT_LIVE', limits);
  await credentialOf(world, await register(world));
  await world.call('IssueToken', { ...used, caller_address: '203.0.113.7' });
  await world.call('RevokeCredential', { client_id });
  return [world, [{ client_id: used.client_id }, { client_id }], { partner_id: partner.id }] as const;
}

/** Two exchanges of a credential that gave a token, and two that did not; none of a descendant's. */
async function ofSignIns(world: World) {
  const [parent, child] = await family(world);
  const credential = await credentialOf(world, parent);
  const from = { ...credential, caller_address: '203.0.113.7' };
  await world.call('IssueToken', from);
  await world.refusal('IssueToken', { ...from, client_secret: 'wrong' });
  await world.call('IssueToken', { ...from, on_behalf_of: child.id });
  await world.refusal('IssueToken', { ...credential, on_behalf_of: 'me' });
  expect(await world.list('ListSignIns', { partner_id: child.id })).toEqual([]);
  const results = ['Issued', 'UNAUTHORIZED_INVALID_CREDENTIALS', 'Issued', 'FORBIDDEN_NOT_YOUR_DESCENDANT'];
  return [world, results.map((result) => ({ result })), { partner_id: parent.id }] as const;
}

/** Partners, their hierarchy and their credentials. */
export const partners = service('PartnerService', {
  CreatePartner: operatorRpc((world) => [world, { name: 'Acme' }], {
    'registers an active partner with the settings given, at version 1, and audits it': async (use) => {
      const partner = await register(use, SETTINGS);
      expect(partner.global_id).toMatch(/^PRT-\d{6,}$/);
      const [{ subject, ...entry } = {}] = await auditOf(use, partner);
      expect(subject).toBe(partner.global_id);
      return [partner, entry];
    },
    'puts it below its parent': async (use) => family(use),
    'each call makes a partner': [{}, {}],
  }),
  UpdatePartner: operatorRpc(ofNew({ name: 'Two' }, SETTINGS), {
    'changes what is present, leaves the rest, and counts the version up': async (use, given) => {
      const changed = await given.call({ marketing_enabled: false });
      const audited = await auditOf(use, { id: given.request.partner_id });
      return [changed, audited.map(({ action }) => action)];
    },
    'clears a nullable setting by an empty text': { display_currency: '', commission_rate: '' },
    'repeated, it changes nothing, and what changes nothing is neither audited nor published': changesOnce,
    'moves a partner with its descendants, and an empty parent makes it a root': async (use) => {
      const root = await register(use);
      const [branch, leaf] = await family(use);
      const moved = await update(use, branch, { parent_partner_id: root.id });
      const carried = await use.get('GetPartner', { partner_id: leaf.id });
      const freed = await update(use, branch, { parent_partner_id: '' });
      return [root.id, branch.id, leaf.id, moved, carried, freed];
    },
    'VALIDATION_FAILED: itself as its parent': [
      ({ partner_id: parent_partner_id }) => ({ parent_partner_id }),
    ],
    'VALIDATION_FAILED: a descendant as its parent': async (use) => {
      const [parent, child] = await family(use);
      return update(use, parent, { parent_partner_id: child.id });
    },
    'NOT_FOUND_PARTNER: an unknown new parent': { parent_partner_id: UNKNOWN },
  }),
  SetPartnerFrozen: operatorRpc(ofNew({ is_frozen: true }), {
    'freezes a partner, counts its version up and audits it; unfreezing ends that': async (use, given) => {
      const frozen = await given.call();
      const unfrozen = await given.call({ is_frozen: false });
      const [last, first] = await auditOf(use, { id: given.request.partner_id });
      return { frozen, unfrozen, audited: [first?.action, last?.action] };
    },
    'repeated, it changes nothing, and what changes nothing is neither audited nor published': changesOnce,
    'a child frozen by itself stays frozen when its parent is unfrozen': async (use) => {
      const [parent, child] = await family(use);
      await freeze(use, child);
      await freeze(use, parent);
      await freeze(use, parent, false);
      const { is_frozen } = await use.get('GetPartner', { partner_id: child.id });
      expect(is_frozen).toBe(true);
    },
  }),
  GetPartner: reads(changed),
  ListPartners: lists(async (world) => {
    const [parent, child] = await family(world);
    return [world, [parent, child, await register(world, { parent_partner_id: child.id })]];
  }),
  SearchPartners: rpc(undefined, {
    'finds by a part of the name in any case, newest first, at most so many': async (use) => {
      const [older, newer] = [await register(use), await register(use)];
      await update(use, older, { name: 'Straße and Sons' });
      const both = [
        await update(use, newer, { name: 'STRASSE 7 %' }),
        await use.get('GetPartner', idOf(older)),
      ];
      expect(await use.list(use.rpc, { text: 'rasse', limit: 100 })).toEqual(both);
      expect(await use.list(use.rpc, { text: 'rasse', limit: 1 })).toEqual(both.slice(0, 1));
      expect(await use.list(use.rpc, { text: '7 %', limit: 100 })).toEqual(both.slice(0, 1));
      expect(await use.list(use.rpc, { text: 'nobody’s name', limit: 100 })).toEqual([]);
    },
    'finds by an id, a global id or a client id, whole': async (use) => {
      const partner = await register(use);
      const { client_id } = await credentialOf(use, partner);
      await use.finds(use.rpc, partner, [partner.id, partner.global_id, client_id]);
    },
  }),
  GetPartnerNames: rpc(undefined, {
    'returns the names of those that there are': async (use) => {
      const partner = await register(use);
      const names = await use.list(use.rpc, { partner_ids: [UNKNOWN, 'none', partner.id] });
      expect(names).toEqual([{ partner_id: partner.id, name: partner.name }]);
    },
  }),
  CreateCredential: operatorRpc(ofNew({ environment: 'ENVIRONMENT_LIVE' }), {
    'makes a credential with a secret of 32 random bytes; each call makes another': async (use, given) => {
      const made = [await given.call(), await given.call()];
      const audited = JSON.stringify(await auditOf(use, { id: given.request.partner_id }));
      for (const { client_secret } of made) {
        expect(client_secret).toMatch(/^[A-Za-z0-9_-]{43}$/);
        expect(audited).not.toContain(client_secret);
      }
      return [given.request, made];
    },
    'keeps the end and the networks that are given': async (_, { call }) => {
      const expires_at = new Date('2999-01-01T00:00:00Z');
      const made = await call({ expires_at, allowed_cidrs: ['203.0.113.0/24', '2001:db8::/32'] });
      return { allowed_cidrs: made.allowed_cidrs, expires_at: made.expires_at };
    },
    'VALIDATION_FAILED: a network that is none': { allowed_cidrs: ['203.0.113.0/33'] },
    'BUSINESS_CERTIFICATION_REQUIRED: only where a setting asks for it': UNREACHABLE,
  }),
  RevokeCredential: operatorRpc(ofCredential, { 'ends a credential': {} }),
  ListCredentials: lists(ofUsed, {
    'has the last use and the end of each': async (use, { who, request }) => who.list(use.rpc, request),
  }),
  ListSignIns: lists(ofSignIns, {
    'says what came of each exchange of its credentials': async (use, { who, request }) =>
      (await who.list(use.rpc, request)).map(({ at: _, request_id: __, ...rest }) => rest),
  }),
});
