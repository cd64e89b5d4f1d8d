/** What createToken returns of a token. */
export interface IssuedToken {
  accessToken: string;
  /** In seconds. */
  expiresIn: number;
}

// A token is renewed while the one before still works, so that no call waits for it or meets its end.
const EARLY_MS = 30_000;

interface Kept {
  token: Promise<string>;
  /** When it is to be renewed; Infinity while it is on its way. */
  renewAt: number;
}

/** Tokens, each fetched once however many calls need it, by whom they act for. */
export class Tokens {
  private readonly kept = new Map<string, Kept>();

  constructor(private readonly issue: (onBehalfOf: string | undefined) => Promise<IssuedToken>) {}

  /** A token that is good for the next half minute at least. */
  get(onBehalfOf: string | undefined): Promise<string> {
    const kept = this.kept.get(onBehalfOf ?? '');
    return kept && Date.now() < kept.renewAt ? kept.token : this.fetch(onBehalfOf);
  }

  /** Forgets a token that was refused, unless it has been replaced already. */
  async refused(onBehalfOf: string | undefined, token: string): Promise<void> {
    const kept = this.kept.get(onBehalfOf ?? '');
    if (kept && (await kept.token.catch(() => token)) === token && this.kept.get(onBehalfOf ?? '') === kept)
      this.kept.delete(onBehalfOf ?? '');
  }

  private fetch(onBehalfOf: string | undefined): Promise<string> {
    const asked = Date.now();
    const entry: Kept = { token: Promise.resolve(''), renewAt: Infinity };
    entry.token = this.issue(onBehalfOf).then(
      ({ accessToken, expiresIn }) => {
        entry.renewAt = asked + expiresIn * 1000 - EARLY_MS;
        return accessToken;
      },
      (error: unknown) => {
        // The next call tries anew.
        if (this.kept.get(onBehalfOf ?? '') === entry) this.kept.delete(onBehalfOf ?? '');
        throw error;
      },
    );
    this.kept.set(onBehalfOf ?? '', entry);
    return entry.token;
  }
}
