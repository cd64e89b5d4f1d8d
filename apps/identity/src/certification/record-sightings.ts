import {
  EvidenceType,
  SightingKind,
  type ClientCalls,
  type RecordSightingsRequest,
  type Sighting,
} from '@reseller/contracts';
import { withTransaction } from '@reseller/database';
import { RequestCheck } from '@reseller/rpc';
import type { Pool } from 'pg';
import { certifyWhoHasShownAll, listShown } from './certification.repository';
import { evidenceNameOf, stepNameOf } from './certification.mapper';
import { fits, type HowMuch, type StepName } from './domain/certification';
import {
  recordCalls,
  recordSightings,
  type CallRecord,
  type LimitRecord,
  type SightingRecord,
} from './sighting.repository';

const MOST = 2_000;
const LONGEST_TEXT = 128;
/** Gateways' clocks differ by so much at most; a call this much before the end of its wait was not too early. */
const CLOCK_TOLERANCE_MS = 100;

const KINDS: Partial<Record<SightingKind, HowMuch>> = {
  [SightingKind.WHOLE]: 'whole',
  [SightingKind.FIRST]: 'first',
  [SightingKind.SECOND]: 'second',
};

/**
 * Keeps what a gateway saw, and certifies whom it completes, in one transaction; returns what each partner of the request has shown
 * so far. Sent again it changes nothing. Throws VALIDATION_FAILED with every fault found.
 */
export async function recordGatewaySightings(
  pool: Pool,
  request: RecordSightingsRequest,
): Promise<ReadonlyMap<string, readonly StepName[]>> {
  const { sightings, calls, limits } = readRequest(request);
  const partnerIds = [...new Set([...sightings, ...calls, ...limits].map(({ partnerId }) => partnerId))];
  return withTransaction(pool, async (sql) => {
    await recordCalls(sql, calls, limits);
    await certifyWhoHasShownAll(sql, await recordSightings(sql, sightings));
    const shown = await listShown(sql, partnerIds);
    return new Map(partnerIds.map((partnerId) => [partnerId, shown.get(partnerId) ?? []]));
  });
}

interface Records {
  sightings: SightingRecord[];
  calls: CallRecord[];
  limits: LimitRecord[];
}

function readRequest(request: RecordSightingsRequest): Records {
  const check = new RequestCheck();
  const records: Records = { sightings: [], calls: [], limits: [] };
  const size = request.calls.reduce(
    (sum, { calledAt, limits }) => sum + calledAt.length + limits.length,
    request.sightings.length,
  );
  if (size > MOST) check.fault('sightings', `expected at most ${MOST} of all together`);
  else {
    records.sightings = request.sightings.map((one, index) => readSighting(check, one, `sightings.${index}`));
    for (const [index, one] of request.calls.entries()) readCalls(check, one, `calls.${index}`, records);
  }
  check.end();
  return records;
}

function readSighting(check: RequestCheck, sighting: Sighting, path: string): SightingRecord {
  const { partnerId, subject, at, evidence } = sighting;
  const step = stepNameOf(sighting.step);
  const howMuch = KINDS[sighting.kind];
  if (!step || !howMuch || !fits(step, howMuch)) check.fault(path, 'expected a sighting that fits its step');
  return {
    partnerId: check.uuid(`${path}.partnerId`, partnerId),
    step: step ?? 'RefusalMet',
    howMuch: howMuch ?? 'whole',
    subject: check.text(`${path}.subject`, subject, LONGEST_TEXT),
    at: momentOf(check, `${path}.at`, at),
    evidenceType: evidenceOf(check, path, evidence?.type),
    evidenceId: check.text(`${path}.evidence.id`, evidence?.id ?? '', LONGEST_TEXT),
    requestId: check.text(`${path}.evidence.requestId`, evidence?.requestId ?? '', LONGEST_TEXT),
  };
}

function readCalls(check: RequestCheck, of: ClientCalls, path: string, { calls, limits }: Records): void {
  const partnerId = check.uuid(`${path}.partnerId`, of.partnerId);
  const clientId = check.text(`${path}.clientId`, of.clientId, LONGEST_TEXT);
  for (const calledAt of of.calledAt)
    calls.push({ partnerId, clientId, at: momentOf(check, `${path}.calledAt`, calledAt) });
  for (const limit of of.limits) {
    const at = momentOf(check, `${path}.limits.at`, limit.at);
    if (limit.retryAfterSeconds < 1) check.fault(`${path}.limits`, 'expected at least a second');
    const waitUntil = new Date(at.getTime() + limit.retryAfterSeconds * 1_000 - CLOCK_TOLERANCE_MS);
    const requestId = check.text(`${path}.limits.requestId`, limit.requestId, LONGEST_TEXT);
    limits.push({ partnerId, clientId, at, waitUntil, requestId });
  }
}

function momentOf(check: RequestCheck, path: string, at: Date | undefined): Date {
  if (!at) check.fault(path, 'expected a moment');
  return at ?? new Date(0);
}

function evidenceOf(check: RequestCheck, path: string, type = EvidenceType.UNSPECIFIED): string {
  const name = evidenceNameOf(type);
  if (!name) check.fault(`${path}.evidence.type`, 'expected what the evidence is');
  return name ?? '';
}
