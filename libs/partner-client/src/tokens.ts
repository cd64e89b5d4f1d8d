/** What createToken returns of a token. */
export interface IssuedToken {
  accessToken: string;
  /** In seconds. */
  expiresIn: number;
}

// A token is renewed while the one before still works, so that no call waits for it or meets its end.
const EARLY_MS = 30_000;

/** A token as it is kept. */
export interface StoredToken {
  accessToken: string;
  /** In milliseconds since 1970. */
  expiresAt: number;
}

/** Where processes that share a credential share its tokens; who it acts for tells them apart. */
export interface TokenStore {
  load(onBehalfOf: string | undefined): Promise<StoredToken | undefined> | StoredToken | undefined;
  /** Undefined when the one that was saved is of no use any more. */
  save(token: StoredToken | undefined, onBehalfOf: string | undefined): Promise<void> | void;
}

/** A token, or one that is on its way, which nobody renews. */
interface Kept {
  token: Promise<StoredToken>;
  renewAt: number;
}

/** Tokens, each fetched once however many calls need it, by whom they act for. */
export class Tokens {
  private readonly kept = new Map<string | undefined, Kept>();

  constructor(
    private readonly issue: (onBehalfOf: string | undefined) => Promise<IssuedToken>,
    private readonly store: TokenStore | undefined,
  ) {}

  /** A token that is good for the next half minute at least. */
  async get(onBehalfOf: string | undefined): Promise<string> {
    const kept = this.kept.get(onBehalfOf);
    const { accessToken } = await (kept && Date.now() < kept.renewAt ? kept.token : this.renew(onBehalfOf));
    return accessToken;
  }

  /** Forgets a token that was refused, unless it has been replaced already. */
  async refused(onBehalfOf: string | undefined, token: string): Promise<void> {
    const kept = this.kept.get(onBehalfOf);
    const current = await kept?.token.catch(() => undefined);
    if (current?.accessToken !== token || this.kept.get(onBehalfOf) !== kept) return;
    this.kept.delete(onBehalfOf);
    await this.store?.save(undefined, onBehalfOf);
  }

  private renew(onBehalfOf: string | undefined): Promise<StoredToken> {
    const entry: Kept = { token: this.find(onBehalfOf), renewAt: Infinity };
    this.kept.set(onBehalfOf, entry);
    entry.token.then(
      ({ expiresAt }) => (entry.renewAt = expiresAt - EARLY_MS),
      // The next call tries anew.
      () => this.kept.get(onBehalfOf) === entry && this.kept.delete(onBehalfOf),
    );
    return entry.token;
  }

  /** The token that another process has stored, or else a new one. */
  private async find(onBehalfOf: string | undefined): Promise<StoredToken> {
    const stored = await this.store?.load(onBehalfOf);
    const now = Date.now();
    if (stored && now < stored.expiresAt - EARLY_MS) return stored;
    const { accessToken, expiresIn } = await this.issue(onBehalfOf);
    const token = { accessToken, expiresAt: now + expiresIn * 1000 };
    await this.store?.save(token, onBehalfOf);
    return token;
  }
}
