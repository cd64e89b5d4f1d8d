import { createHash } from 'node:crypto';
import { CertificationStep, EvidenceType, SightingKind } from '@reseller/contracts';
import { isAppError, type ErrorCode } from '@reseller/errors';
import { HeldPayload } from '@reseller/http-edge';
import type { CallContext } from '@reseller/rpc';
import type { Route } from '../routes/route';
import type { Caller } from '../security/claims';
import type { Outcome, Sight } from './sight';
import type { SightingLog } from './sighting-log';

/** A request that is about to be served. */
interface WatchedRequest {
  readonly route: Pick<Route, 'shows'>;
  readonly caller: Caller;
  readonly params: Record<string, unknown>;
  readonly call: CallContext;
  /** Whether the caller will hear what came of it, once that is known. */
  readonly isLost: () => boolean;
}

/** Serves a request, and notes what its outcome shows of a certification, whatever it is; the outcome stays the same. */
export async function watchOutcome(
  sightings: Pick<SightingLog, 'see'>,
  request: WatchedRequest,
  serve: () => Promise<unknown>,
): Promise<unknown> {
  const note = (result: Pick<Outcome, 'payload' | 'refusal'>): void => {
    const { requestId, isNew = false } = request.call;
    const outcome = { ...result, params: request.params, requestId, isNew, isLost: request.isLost() };
    sightings.see(request.caller, requestId, [
      ...(request.route.shows?.(outcome) ?? []),
      ...ofKeyed(request.call, outcome),
    ]);
  };
  let payload: unknown;
  try {
    payload = await serve();
  } catch (error) {
    note({ refusal: codeOf(error) });
    throw error;
  }
  if (payload instanceof HeldPayload)
    return payload.within((resume) => watchOutcome(sightings, request, resume));
  note({ payload });
  return payload;
}

/** A create with an Idempotency-Key whose response was lost, or which met the first one's result (spec §1.11). */
function ofKeyed({ idempotency, isReplayed }: CallContext, { refusal, isLost, requestId }: Outcome): Sight[] {
  if (!idempotency || refusal || (!isLost && !isReplayed)) return [];
  const { key, fingerprint } = idempotency;
  return [
    {
      step: CertificationStep.LOST_RESPONSE_REPEATED,
      kind: isLost ? SightingKind.FIRST : SightingKind.SECOND,
      subject: createHash('sha256').update(`${key} ${fingerprint}`).digest('base64url'),
      type: EvidenceType.REQUEST,
      id: requestId,
    },
  ];
}

const codeOf = (error: unknown): ErrorCode => (isAppError(error) ? error.code : 'INTERNAL_ERROR');
