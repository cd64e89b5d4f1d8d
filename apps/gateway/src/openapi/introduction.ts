/** What the reference says first, in Markdown. */
export const INTRODUCTION = `Sell mobile top-ups, eSIMs and scents under your own name.

**Start** with \`POST /api/v1/auth/token\`, give the accessToken under *Authentication*, and try the rest on this page.
A credential is for the sandbox or for live; the two never see each other's data.

**In TypeScript or JavaScript** the samples of *@reseller/client* on this page call the client that does all of this for you: tokens, safe
repetitions, pages, the feed. The guides under /docs begin with it.

**Responses** come in one envelope: \`{ "state": "SUCCESS", "payload": … }\`, or
\`{ "state": "<ERROR_CODE>", "payload": null, "details": { "message", "requestId" } }\`. Branch on \`state\`, never on the
message, and quote the requestId (also in the X-Request-Id header) when you ask us.

**Repeat safely**: creates carry your externalReference, or take an Idempotency-Key. After a 5xx or no response at all send the same
request again.
429 and 503 say in Retry-After how many seconds to wait.

**Limits**: 300 requests in 60 seconds for each credential, 10 for the token endpoint by address.`;
