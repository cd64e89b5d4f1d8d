import {
  DeadLetterReason,
  DeadLetterState,
  type DeadLetter,
  type DeadLetterServiceService,
} from '@reseller/contracts';
import { findByName, present, presentEnum, presentMoment, presentRequiredMoment } from '@reseller/presenters';
import type { RpcClient } from '@reseller/rpc';
import { z } from 'zod';
import type { Clients } from '../clients';
import type { StretchBounds } from '../newest-first';
import { pageInTurn } from '../page-in-turn';
import { EXAMPLE_ID, notes, pageQuery, uuid } from './fields';
import {
  deadLetterResponse,
  deadLetterRow,
  deadLettersPage,
  redriveResponse,
} from './responses/dead-letters';
import { defineRoute, type OpsRoute } from './route';

const SERVICES = ['finance', 'scent-commerce', 'notifier'] as const;
const STATES = {
  [DeadLetterState.WAITING]: 'Waiting',
  [DeadLetterState.REDRIVEN]: 'Redriven',
  [DeadLetterState.DISMISSED]: 'Dismissed',
} as const;
const REASONS = {
  [DeadLetterReason.UNDECODABLE]: 'Undecodable',
  [DeadLetterReason.RULE_BROKEN]: 'RuleBroken',
  [DeadLetterReason.ENDS_PROCESS]: 'EndsProcess',
} as const;
const REDRIVE_DEADLINE_MS = 60_000;

type ServiceName = (typeof SERVICES)[number];
type Consumer = RpcClient<typeof DeadLetterServiceService>;

const consumersOf = (clients: Clients): Readonly<Record<ServiceName, Consumer>> => ({
  finance: clients.financeDeadLetters,
  'scent-commerce': clients.scentDeadLetters,
  notifier: clients.notifierDeadLetters,
});

const service = z.enum(SERVICES);
const reason = z.enum(Object.values(REASONS));
const params = z.object({ service, id: uuid });
const examples = { params: { service: 'notifier' as const, id: EXAMPLE_ID } };
const reasonOf = (name: string | undefined): DeadLetterReason =>
  findByName(REASONS, name) ?? DeadLetterReason.UNSPECIFIED;

const listDeadLetters = defineRoute({
  method: 'GET',
  path: '/ops/v1/dead-letters',
  role: 'viewer',
  summary: "A page of events that consumers gave up: finance's, scent-commerce's, notifier's, newest first",
  query: z.object({
    ...pageQuery,
    service: service.optional(),
    state: z.enum(Object.values(STATES)).optional(),
    reason: reason.optional(),
  }),
  response: deadLettersPage,
  async handle({ query: { page, pageSize, service: only, state, reason: of }, call, clients }) {
    const filter = {
      state: findByName(STATES, state) ?? DeadLetterState.UNSPECIFIED,
      reason: reasonOf(of),
    };
    const lists = (only ? [only] : SERVICES).map((name) => async (stretch: StretchBounds) => {
      const list = await consumersOf(clients)[name].listDeadLetters({ ...filter, ...stretch }, call);
      const items = list.deadLetters.map((one) => presentDeadLetter(name, one));
      return { items, totalCount: list.totalCount };
    });
    return pageInTurn(lists, { page, pageSize });
  },
});

const getDeadLetter = defineRoute({
  method: 'GET',
  path: '/ops/v1/dead-letters/{service}/{id}',
  role: 'viewer',
  summary: 'One dead letter: what failed, where, what can be done, and the event as it was stored',
  params,
  response: deadLetterResponse,
  examples,
  async handle({ params: { service: name, id }, call, clients }) {
    const letter = await findDeadLetter(clients, name, id, call);
    return { ...presentDeadLetter(name, letter), ...presentEvent(letter) };
  },
});

const redriveDeadLetter = defineRoute({
  method: 'POST',
  path: '/ops/v1/dead-letters/{service}/{id}/redrive',
  role: 'support',
  summary: 'Hand the event to its consumer again; still Waiting in the response when it is still wrong',
  params,
  response: deadLetterRow,
  examples,
  async audit({ params: { service: name, id }, call, clients }) {
    return auditOf('dead-letter.redrive', name, await findDeadLetter(clients, name, id, call));
  },
  async handle({ params: { service: name, id: deadLetterId }, call, clients }) {
    const { deadLetter } = await consumersOf(clients)[name].redriveDeadLetter({ deadLetterId }, call);
    return presentDeadLetter(name, present(deadLetter, 'dead_letter'));
  },
});

const redriveDeadLetters = defineRoute({
  method: 'POST',
  path: '/ops/v1/dead-letters/redrive',
  role: 'support',
  summary: 'Redrive all of a service that wait for one reason, within 60 s; repeat it until isComplete',
  body: z.strictObject({ service, reason }),
  response: redriveResponse,
  examples: { body: { service: 'notifier', reason: 'Undecodable' } },
  deadlineMs: REDRIVE_DEADLINE_MS,
  audit({ body }) {
    return Promise.resolve({ action: 'dead-letter.redrive-all', subject: body.service, details: body });
  },
  async handle({ body, call, clients }) {
    const request = { reason: reasonOf(body.reason) };
    return consumersOf(clients)[body.service].redriveDeadLetters(request, call);
  },
});

const dismissDeadLetter = defineRoute({
  method: 'POST',
  path: '/ops/v1/dead-letters/{service}/{id}/dismiss',
  role: 'support',
  summary: 'Decide that the event shall have no effect, and say why',
  params,
  body: z.strictObject({ notes }),
  response: deadLetterRow,
  examples: { ...examples, body: { notes: 'A test of the publisher; no partner is concerned.' } },
  async audit({ params: { service: name, id }, body, call, clients }) {
    const change = auditOf('dead-letter.dismiss', name, await findDeadLetter(clients, name, id, call));
    return { ...change, details: { ...change.details, notes: body.notes } };
  },
  async handle({ params: { service: name, id: deadLetterId }, body, call, clients }) {
    const request = { deadLetterId, notes: body.notes };
    const { deadLetter } = await consumersOf(clients)[name].dismissDeadLetter(request, call);
    return presentDeadLetter(name, present(deadLetter, 'dead_letter'));
  },
});

async function findDeadLetter(
  clients: Clients,
  name: ServiceName,
  deadLetterId: string,
  call: Parameters<Consumer['getDeadLetter']>[1],
): Promise<DeadLetter> {
  const { deadLetter } = await consumersOf(clients)[name].getDeadLetter({ deadLetterId }, call);
  return present(deadLetter, 'dead_letter');
}

function auditOf(action: string, name: ServiceName, { id, eventId, group }: DeadLetter) {
  return { action, subject: id, details: { service: name, eventId, group } };
}

function presentDeadLetter(name: ServiceName, letter: DeadLetter) {
  const { id, group, eventId, topic, type, aggregateId, message, where, whatToDo, attempts } = letter;
  return {
    id,
    service: name,
    ...{ group, eventId, topic, type, aggregateId },
    aggregateSeq: Number(letter.aggregateSeq),
    reason: presentEnum(REASONS, letter.reason as keyof typeof REASONS),
    explanation: { what: message, where, whatToDo },
    attempts,
    firstFailedAt: presentRequiredMoment(letter.firstFailedAt, 'first_failed_at'),
    lastFailedAt: presentRequiredMoment(letter.lastFailedAt, 'last_failed_at'),
    state: presentEnum(STATES, letter.state as keyof typeof STATES),
    decidedBy: letter.decidedBy ?? null,
    decidedAt: presentMoment(letter.decidedAt),
    notes: letter.notes ?? null,
  };
}

/** The event itself, its payload in base64, and the error in full. */
function presentEvent({ payloadBase64, headersJson, occurredAt, detail }: DeadLetter) {
  return {
    occurredAt: presentRequiredMoment(occurredAt, 'occurred_at'),
    headers: JSON.parse(headersJson) as Record<string, string>,
    payload: payloadBase64,
    detail,
  };
}

/** Events that consumers gave up, and what operators decide about them. */
export const deadLetterRoutes: readonly OpsRoute[] = [
  listDeadLetters,
  getDeadLetter,
  redriveDeadLetter,
  redriveDeadLetters,
  dismissDeadLetter,
];
