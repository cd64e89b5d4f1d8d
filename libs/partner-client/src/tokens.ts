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

/** Where processes that share a credential share its tokens; they differ by who it acts for. */
export interface TokenStore {
  load(onBehalfOf: string | undefined): Promise<StoredToken | undefined> | StoredToken | undefined;
  save(token: StoredToken, onBehalfOf: string | undefined): Promise<void> | void;
}

/** The token that is in use, and the next one while it is on its way. */
interface Kept {
  token?: StoredToken | undefined;
  next?: Promise<StoredToken> | undefined;
  /** The one that the API did not take, which the store may hold for a while. */
  refused?: string;
}

/** Tokens, each fetched once however many calls need it, by whom they act for. */
export class Tokens {
  private readonly kept = new Map<string | undefined, Kept>();

  constructor(
    private readonly issue: (onBehalfOf: string | undefined) => Promise<IssuedToken>,
    private readonly store: TokenStore | undefined,
  ) {}

  /** A token that has not ended; one that ends within half a minute is renewed meanwhile. */
  async get(onBehalfOf: string | undefined): Promise<string> {
    const kept = this.keptFor(onBehalfOf);
    const { token } = kept;
    const leftMs = token ? token.expiresAt - Date.now() : 0;
    if (token && leftMs > EARLY_MS) return token.accessToken;
    const next = this.renew(kept, onBehalfOf);
    if (!token || leftMs <= 0) return (await next).accessToken;
    // While this one is good a failure is no call's; the next call tries anew.
    next.catch(() => undefined);
    return token.accessToken;
  }

  /** Forgets a token that was refused; the store is left to whoever has a new one, for another process may have stored it. */
  refused(onBehalfOf: string | undefined, token: string): void {
    const kept = this.keptFor(onBehalfOf);
    kept.refused = token;
    if (kept.token?.accessToken === token) kept.token = undefined;
  }

  private keptFor(onBehalfOf: string | undefined): Kept {
    let kept = this.kept.get(onBehalfOf);
    if (!kept) this.kept.set(onBehalfOf, (kept = {}));
    return kept;
  }

  private renew(kept: Kept, onBehalfOf: string | undefined): Promise<StoredToken> {
    kept.next ??= this.find(kept, onBehalfOf)
      .then((token) => (kept.token = token))
      .finally(() => (kept.next = undefined));
    return kept.next;
  }

  /** The token that another process has stored, or else a new one. */
  private async find(kept: Kept, onBehalfOf: string | undefined): Promise<StoredToken> {
    const stored = await this.store?.load(onBehalfOf);
    const now = Date.now();
    const isGood = stored && now < stored.expiresAt - EARLY_MS && stored.accessToken !== kept.refused;
    if (isGood) return stored;
    const { accessToken, expiresIn } = await this.issue(onBehalfOf);
    const token = { accessToken, expiresAt: now + expiresIn * 1000 };
    await this.store?.save(token, onBehalfOf);
    return token;
  }
}
