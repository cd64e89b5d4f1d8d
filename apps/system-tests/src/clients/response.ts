import { rememberSecrets } from '../telemetry/used-secrets';

/** What came back: the envelope's parts beside the HTTP status and headers. */
export interface ApiResponse<T> {
  readonly status: number;
  readonly state: string;
  readonly payload: T;
  readonly details: ErrorDetails;
  readonly headers: Headers;
  /** The body as it was sent. */
  readonly text: string;
}

/** What details may hold on an error. */
export interface ErrorDetails {
  readonly message?: string;
  readonly requestId?: string;
  readonly errors?: readonly { readonly path: string; readonly message: string }[];
  readonly orderId?: string;
  readonly mismatchedFields?: readonly string[];
}

/** How a request is sent. */
export interface SendOptions {
  readonly method?: string;
  readonly body?: unknown;
  /** Sent instead of body, as it is. */
  readonly rawBody?: string;
  readonly headers?: Record<string, string>;
}

const RESPONSE_LIMIT_MS = 20_000;

/** Sends one request and reads the envelope; a body that is no JSON object fails. */
export async function send<T>(url: string, options: SendOptions = {}): Promise<ApiResponse<T>> {
  const body = options.rawBody ?? (options.body === undefined ? undefined : JSON.stringify(options.body));
  const response = await fetch(url, {
    method: options.method ?? (body === undefined ? 'GET' : 'POST'),
    headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...options.headers },
    ...(body === undefined ? {} : { body }),
    // Past every deadline of spec §1.10: what takes longer is a defect and should be reported, not waited for.
    signal: AbortSignal.timeout(RESPONSE_LIMIT_MS),
  });
  const text = await response.text();
  rememberSecrets(text);
  const envelope = JSON.parse(text) as { state: string; payload: T; details?: ErrorDetails };
  return {
    status: response.status,
    state: envelope.state,
    payload: envelope.payload,
    details: envelope.details ?? {},
    headers: response.headers,
    text,
  };
}

/** The payload of a response that must be a success; says what the response was when it is not. */
export function expectSuccess<T>(response: ApiResponse<T>): T {
  if (response.status !== 200 || response.state !== 'SUCCESS') {
    throw new Error(`expected success, got ${response.status} ${response.text}`);
  }
  return response.payload;
}
