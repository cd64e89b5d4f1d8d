/** One field that the API found a fault in. */
export interface Fault {
  readonly path: string;
  readonly message: string;
}

/** The code of a refusal that came from no server. */
export const UNREACHABLE = 'UNREACHABLE';

/** What can be done about a refusal; each kind has its advice among the words. */
type Advice = 'signIn' | 'role' | 'reload' | 'later' | 'input' | 'missing' | 'approval' | 'report';

/** Why the API did not do what was requested: the one error that pages show. */
export class Refusal extends Error {
  override readonly name = 'Refusal';

  constructor(
    readonly code: string,
    message: string,
    readonly details: Readonly<Record<string, unknown>> = {},
  ) {
    super(message);
  }

  get requestId(): string | undefined {
    return textOf(this.details['requestId']);
  }

  /** The fields at fault, of a request that does not fit. */
  get faults(): readonly Fault[] {
    return Array.isArray(this.details['errors']) ? (this.details['errors'] as Fault[]) : [];
  }

  get advice(): Advice {
    return ADVICE.find(([pattern]) => pattern.test(this.code))?.[1] ?? 'report';
  }
}

const ADVICE: readonly (readonly [RegExp, Advice])[] = [
  [/^UNAUTHORIZED_|^FORBIDDEN_CSRF$/, 'signIn'],
  [/^FORBIDDEN_/, 'role'],
  [/^CONFLICT_APPROVAL_REQUIRED$/, 'approval'],
  [/^CONFLICT_/, 'reload'],
  [/^(RATE_LIMITED|SERVICE_UNAVAILABLE|UNREACHABLE|TIMEOUT)/, 'later'],
  [/^(VALIDATION_|BUSINESS_)/, 'input'],
  [/^NOT_FOUND_/, 'missing'],
];

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/** Any failure as a refusal; what is no response of the API keeps its own words. */
export function refusalOf(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  return new Refusal('CONSOLE', error instanceof Error ? error.message : String(error));
}

/** What a refusal of the API is sent as. */
interface ErrorEnvelope {
  readonly state: string;
  readonly details: Readonly<Record<string, unknown>> & { readonly message: string };
}

/** The refusal that a response carries, or one by its status where it carries none, as of a proxy between. */
export async function refusalIn(response: Response): Promise<Refusal> {
  try {
    const { state, details } = (await response.json()) as ErrorEnvelope;
    return new Refusal(state, details.message, details);
  } catch {
    return new Refusal(
      response.status >= 500 ? 'SERVICE_UNAVAILABLE' : `HTTP_${response.status}`,
      response.statusText,
    );
  }
}
