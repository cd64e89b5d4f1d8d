import type { SeededPartner } from '../platform-file';
import { readPrivateJson, writePrivateJson } from '../private-file';

/** A partner as far as its seeding has come. */
export type PartnerDraft = Omit<SeededPartner, 'credentials'> & {
  credentials: Partial<SeededPartner['credentials']>;
};

interface Content {
  doneSteps: string[];
  partners: Record<string, PartnerDraft>;
}

/**
 * What the seeding has done, kept after each call that could not simply be repeated, so that a crash in the middle
 * is carried on from and every start shows the same credentials.
 */
export class SeedState {
  private readonly content: Content;

  constructor(private readonly file: string) {
    this.content = readPrivateJson<Content>(file) ?? { doneSteps: [], partners: {} };
  }

  isDone(step: string): boolean {
    return this.content.doneSteps.includes(step);
  }

  markDone(step: string): void {
    this.content.doneSteps.push(step);
    this.save();
  }

  partner(name: string): PartnerDraft | undefined {
    return this.content.partners[name];
  }

  putPartner(partner: PartnerDraft): void {
    this.content.partners[partner.name] = partner;
    this.save();
  }

  /** The partners whose seeding is complete, in the order they were made. */
  get partners(): SeededPartner[] {
    return Object.values(this.content.partners).filter((partner): partner is SeededPartner =>
      Boolean(partner.credentials.sandbox && partner.credentials.live),
    );
  }

  private save(): void {
    writePrivateJson(this.file, this.content);
  }
}
