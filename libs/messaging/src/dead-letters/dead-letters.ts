import { isDatabaseUnavailable, withTransaction } from '@reseller/database';
import { AppError, InvalidEventError, validationFailed } from '@reseller/errors';
import { isLonger } from '@reseller/rpc';
import type { Pool } from 'pg';
import type { Logger } from 'pino';
import type { DomainEvent } from '../domain-event';
import type { Subscription } from '../event-bus';
import { handleTraced } from '../traced';
import type { DeadLetter, DeadLetterFailure, DeadLetterReason, DeadLetterStore } from './dead-letter';
import { DeadLetterRepository } from './dead-letter.repository';
import { failureOf } from './failure';

const LONGEST_NOTES = 500;
const REDRIVE_PAGE = 100;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** A group and what it does with an event. */
export type EventHandler = Pick<Subscription, 'group' | 'handler'>;

/** What dead letters are kept and redriven with; the pool is one of its own, of at least two connections. */
interface DeadLettersDeps {
  pool: Pool;
  consumers: readonly EventHandler[];
  log: Pick<Logger, 'warn'>;
}

/** Who decides, and in which request. */
export interface Decider {
  operator: string;
  requestId: string | undefined;
}

/** What redriving all of one reason came to. */
interface RedriveRun {
  redriven: number;
  /** Those that wait on. */
  failed: number;
  /** Whether all were tried. */
  isComplete: boolean;
}

/** The dead letters of one service: kept when its consumers give an event up, until a person has decided. */
export class DeadLetters implements DeadLetterStore {
  readonly repository: DeadLetterRepository;

  constructor(private readonly deps: DeadLettersDeps) {
    this.repository = new DeadLetterRepository(deps.pool);
  }

  record(event: DomainEvent, failure: DeadLetterFailure): Promise<void> {
    return this.repository.record(event, failure);
  }

  async get(id: string): Promise<DeadLetter> {
    return existing(UUID.test(id) ? await this.repository.find(id) : undefined);
  }

  /**
   * Hands the event to its consumer again, whose inbox makes the effect happen once, and marks it. A crash in between leaves
   * it waiting, and the next redrive marks it. An event that is still invalid waits on, with what is wrong now.
   */
  async redrive(id: string, by: Decider): Promise<DeadLetter> {
    const letter = await this.redriveIfWaiting(id, by);
    return letter.state === 'Waiting' ? letter : unlessOtherwise(letter, 'Redriven');
  }

  /**
   * Redrives what waits for a reason, oldest first, until there is no more or `until` (milliseconds since 1970) has passed. One that meets
   * a fault that is not its own is logged and waits on, and the others have their turn; only a database that is away ends the run.
   */
  async redriveAll(reason: DeadLetterReason, by: Decider, until: number): Promise<RedriveRun> {
    const run = { redriven: 0, failed: 0 };
    let after: string | undefined;
    for (;;) {
      const ids = await this.repository.findWaiting(reason, { after, limit: REDRIVE_PAGE });
      for (const id of ids) {
        if (Date.now() >= until) return { ...run, isComplete: false };
        const state = await this.redriveOneOfMany(id, by);
        if (state === 'Waiting') run.failed += 1;
        if (state === 'Redriven') run.redriven += 1;
        after = id;
      }
      if (ids.length < REDRIVE_PAGE) return { ...run, isComplete: true };
    }
  }

  /** Records that a person wants the event to have no effect. */
  async dismiss(id: string, by: Decider, notes: string): Promise<DeadLetter> {
    const text = notes.trim();
    if (text === '' || isLonger(text, LONGEST_NOTES))
      throw validationFailed([{ path: 'notes', message: `must have 1 to ${LONGEST_NOTES} characters` }]);
    await this.get(id);
    const { operator: decidedBy, requestId } = by;
    return this.deciding(id, async (letter, repository) =>
      letter.state === 'Waiting'
        ? repository.decide(id, { state: 'Dismissed', decidedBy, notes: text, requestId })
        : unlessOtherwise(letter, 'Dismissed'),
    );
  }

  private async redriveOneOfMany(id: string, by: Decider): Promise<DeadLetter['state']> {
    try {
      return (await this.redriveIfWaiting(id, by)).state;
    } catch (error) {
      if (isDatabaseUnavailable(error)) throw error;
      this.deps.log.warn({ err: error, deadLetterId: id }, 'a dead letter could not be redriven');
      return 'Waiting';
    }
  }

  /** One that was decided meanwhile is returned as it is. */
  private async redriveIfWaiting(id: string, by: Decider): Promise<DeadLetter> {
    await this.get(id);
    // Counted before the attempt, outside of its transaction: also one that ends the process leaves its trace.
    await this.repository.countAttempt(id);
    // The row's lock keeps everyone else from deciding meanwhile; were this process to end, it ends with it.
    return this.deciding(id, async (letter, repository) => {
      if (letter.state !== 'Waiting') return letter;
      const consumer = this.deps.consumers.find(({ group }) => group === letter.group);
      if (!consumer) throw new Error(`no consumer ${letter.group} runs here any more`);
      try {
        await handleTraced(consumer, [letter.event]);
      } catch (error) {
        if (!(error instanceof InvalidEventError)) throw error;
        return repository.failedAgain(id, failureOf(error, letter));
      }
      const { operator: decidedBy, requestId } = by;
      return repository.decide(id, { state: 'Redriven', decidedBy, notes: undefined, requestId });
    });
  }

  private deciding(
    id: string,
    decide: (letter: DeadLetter, repository: DeadLetterRepository) => Promise<DeadLetter> | DeadLetter,
  ): Promise<DeadLetter> {
    const inTransaction = { attempts: 1 };
    return withTransaction(
      this.deps.pool,
      async (tx) => {
        const repository = new DeadLetterRepository(tx);
        return decide(existing(await repository.lock(id)), repository);
      },
      inTransaction,
    );
  }
}

function existing(letter: DeadLetter | undefined): DeadLetter {
  if (!letter) throw new AppError('NOT_FOUND_DEAD_LETTER');
  return letter;
}

/** The same decision again changes nothing. */
function unlessOtherwise(letter: DeadLetter, state: DeadLetter['state']): DeadLetter {
  if (letter.state !== state) throw new AppError('CONFLICT_DEAD_LETTER_DECIDED');
  return letter;
}
