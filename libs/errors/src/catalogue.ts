import {
  business,
  conflict,
  forbidden,
  internal,
  notFound,
  notRetryable,
  rateLimited,
  retryable,
  unauthorized,
  unavailable,
  validation,
  withStatus,
} from './error-class';

/** Every error the platform can respond with, by code: HTTP status, gRPC status, sentence and whether repeating may help. */
export const ERROR_CATALOGUE = {
  VALIDATION_FAILED: validation(
    'The request holds fields that are missing or wrong; correct them and send it again.',
  ),
  VALIDATION_MALFORMED_JSON: validation('The body is not a JSON object; send one well-formed JSON object.'),
  VALIDATION_UNSUPPORTED_MEDIA_TYPE: withStatus(
    415,
    validation('The body is not JSON in UTF-8; send it uncompressed, with Content-Type application/json.'),
  ),
  VALIDATION_PAYLOAD_TOO_LARGE: withStatus(
    413,
    validation('The body is larger than 100 KiB; send a smaller one.'),
  ),
  VALIDATION_WEBHOOK_URL_REJECTED: validation(
    'The webhook url cannot be used; give an https url that is reachable on the public internet.',
  ),
  VALIDATION_CURSOR_EXPIRED: validation(
    'Events after this cursor are kept no more; read on without one, from the oldest event kept.',
  ),
  VALIDATION_INVALID_REASON_CODE: validation(
    'The reasonCode is not one we know; use a reason code from the documentation.',
  ),
  VALIDATION_PRICE_LOCK_INVALID: validation(
    'The price lock does not fit this cart; preview the cart again with lock=true and use the new lockId.',
  ),
  VALIDATION_PRICE_LOCK_EXPIRED: validation(
    'The price lock has expired; preview the cart again with lock=true and use the new lockId.',
  ),

  UNAUTHORIZED_INVALID_CREDENTIALS: unauthorized(
    'The client id and secret are not valid; check them, or ask us for new ones.',
  ),
  UNAUTHORIZED_INVALID_TOKEN: unauthorized(
    'The bearer token is missing, expired or not valid; get a new token and send the request again.',
  ),
  UNAUTHORIZED_PARTNER_FROZEN: unauthorized(
    'Access of this partner is frozen; stop sending requests and get in touch with us.',
  ),

  FORBIDDEN_NOT_YOUR_DESCENDANT: forbidden(
    'You can only act for a partner below your own, and limit one by your own token; check the id.',
  ),
  FORBIDDEN_DELEGATION_TARGET_INVALID: forbidden(
    'The partner named in onBehalfOf is not active or is frozen; choose another, or have it activated.',
  ),
  FORBIDDEN_PARTNER_MISMATCH: forbidden(
    'The partner in the body is not the one of your token; leave it out or give your own.',
  ),
  FORBIDDEN_SANDBOX_ONLY: forbidden(
    'This call is for rehearsing and your token is a live one; make it with a sandbox token.',
  ),
  FORBIDDEN_CSRF: forbidden(
    'The request does not prove that it comes from the console; send its Origin and the X-CSRF-Token.',
  ),
  FORBIDDEN_OPERATOR_ROLE: forbidden(
    'Your roles do not allow this call; have it made by an operator of the role in the details.',
  ),
  FORBIDDEN_OWN_APPROVAL: forbidden(
    'You requested this yourself, by a session or a token of yours; have another operator decide it.',
  ),

  NOT_FOUND_ROUTE: notFound(
    'There is nothing at this path; check the address against the documentation, and that it does not end with a slash.',
  ),
  NOT_FOUND_ORDER: notFound('There is no such order; check the order id.'),
  NOT_FOUND_TOPUP_ORDER: notFound('There is no such top-up order; check the order id or reference.'),
  NOT_FOUND_ESIM_ORDER: notFound('There is no such eSIM order; check the order id or reference.'),
  NOT_FOUND_SCENT_ORDER: notFound('There is no such scent order, group or line; check the ids.'),
  NOT_FOUND_STATEMENT: notFound('There is no such statement; check the statement id.'),
  NOT_FOUND_DISCOUNT_CODE: notFound('There is no such discount code; check the id.'),
  NOT_FOUND_WALLET: notFound('There is no wallet for this partner; ask us to open one.'),
  NOT_FOUND_PRICE_LOCK: notFound(
    'There is no such price lock, or it was used or its cart has changed; check the lock id.',
  ),
  NOT_FOUND_CART_ITEM: notFound('The cart has no such line; check the variant id or add the variant first.'),
  NOT_FOUND_VARIANT: notFound('There is no such variant; check the variant id against the catalog.'),
  NOT_FOUND_SCENT: notFound('There is no such scent; check the scent id against the catalog.'),
  NOT_FOUND_BRAND: notFound('There is no such brand; check the brand id against the catalog.'),
  NOT_FOUND_WEBHOOK_SUBSCRIPTION: notFound(
    'There is no such webhook subscription; check the subscription id.',
  ),
  NOT_FOUND_WEBHOOK_DELIVERY: notFound('There is no such webhook delivery; check the delivery id.'),
  NOT_FOUND_WEBHOOK_DIAGNOSIS: notFound(
    'No diagnosis of this subscription has ended yet; POST to its /diagnose first.',
  ),
  NOT_FOUND_RECONCILIATION: notFound('There is no such reconciliation, or it is kept no more; check the id.'),
  NOT_FOUND_EVENT: notFound('There is no such event, or it is kept no more; check the event id.'),
  NOT_FOUND_BACK_IN_STOCK_REGISTRATION: notFound(
    'There is no such back-in-stock registration; check the id.',
  ),
  NOT_FOUND_PARTNER: notFound('There is no such partner; check the partner id.'),
  NOT_FOUND_CREDENTIAL: notFound('There is no such credential; check the client id.'),
  NOT_FOUND_RETURN_REQUEST: notFound('There is no such return request; check the id.'),
  NOT_FOUND_FULFILLMENT_GROUP: notFound('There is no such fulfillment group; check the id.'),
  NOT_FOUND_OPERATOR_TOKEN: notFound('There is no such operator token; check the id.'),
  NOT_FOUND_ERASURE: notFound('There is no such erasure; check the id.'),
  NOT_FOUND_APPROVAL: notFound('There is no such approval; check the id.'),
  NOT_FOUND_DEAD_LETTER: notFound('There is no such dead letter; check its service and id.'),
  NOT_FOUND_DIFFERENCE: notFound(
    'There is no such difference, or it is kept no more; check its service and id.',
  ),

  CONFLICT_ORDER_IN_PROGRESS: retryable(
    conflict('The first attempt with this reference is still running; repeat the same request in a moment.'),
  ),
  CONFLICT_ORDER_INTERVENTION_REQUIRED: conflict(
    'The order with this reference is being looked into by our operators; read the order to follow it.',
  ),
  CONFLICT_DUPLICATE_EXTERNAL_REFERENCE: conflict(
    'This external reference was used with other values; read what it stands for before you use a new one.',
  ),
  CONFLICT_CART_HAS_PENDING_ORDER: retryable(
    conflict('An order is running on this cart; wait until it has finished.'),
  ),
  CONFLICT_CART_CHECKOUT_RACE: retryable(
    conflict('The cart changed while it was being checked out; read the cart and check out again.'),
  ),
  CONFLICT_DISCOUNT_CODE_EXISTS: conflict(
    'A discount code with this text exists already; choose another text.',
  ),
  CONFLICT_DISCOUNT_CODE_REDEEMED: conflict(
    'The discount code has been redeemed and cannot be deleted; deactivate it instead.',
  ),
  CONFLICT_ORDER_STATE: conflict(
    'The order cannot make this move from its present status; read the order and decide again.',
  ),
  CONFLICT_FULFILLMENT_GROUP_STATUS: conflict(
    'The fulfillment group cannot make this move from its present status; read it and decide again.',
  ),
  CONFLICT_RETURN_REQUEST_DECIDED: conflict(
    'The return request has been decided already; read it to see the decision.',
  ),
  CONFLICT_DEAD_LETTER_DECIDED: conflict(
    'The dead letter has been decided otherwise already; read it to see the decision.',
  ),
  CONFLICT_DIFFERENCE_CHANGED: conflict(
    'The difference has other figures now, or is gone; read it and decide again.',
  ),
  CONFLICT_APPROVAL_REQUIRED: conflict(
    'The amount needs a second operator, and nothing was moved; have the approval in the details approved.',
  ),
  CONFLICT_APPROVAL_DECIDED: conflict(
    'The approval has been decided already or has lapsed; read it to see what became of it.',
  ),
  CONFLICT_STATEMENT_PERIOD: conflict(
    'The period overlaps, repeats or leaves a gap after an earlier statement; start where the last one ended.',
  ),
  CONFLICT_DELIVERY_NOT_FINAL: conflict(
    'Only a finished delivery of a real event can be sent again; wait until this one has finished.',
  ),
  CONFLICT_STOCK_CHANGED: conflict(
    'Another number is on hand than was expected; read the variant and decide again.',
  ),
  CONFLICT_IDEMPOTENCY_KEY_REUSED: conflict('The idempotency key was used with other values; use a new key.'),
  CONFLICT_REQUEST_IN_PROGRESS: retryable(
    conflict('The first request with this idempotency key is still running; repeat it in a moment.'),
  ),

  BUSINESS_INSUFFICIENT_BALANCE: business(
    'The available balance does not cover the amount; top up the wallet or order for less.',
  ),
  BUSINESS_AMOUNT_OUT_OF_RANGE: business(
    'The amount is outside the limits of the geo scope; choose an amount within them.',
  ),
  BUSINESS_GEO_SCOPE_UNAVAILABLE: business(
    'The product is not sold in this geo scope; choose one from the list of geo scopes.',
  ),
  BUSINESS_PHONE_NOT_IN_GEO_SCOPE: business(
    'The phone number belongs to another country than the geo scope; check both.',
  ),
  BUSINESS_PRODUCT_UNAVAILABLE: business(
    'The product cannot be ordered at present; choose another from the list of products.',
  ),
  BUSINESS_PRICE_MISMATCH: business(
    'The order does not match the product as we sell it; read the product and take its values.',
  ),
  BUSINESS_CART_EMPTY: business('The cart is empty; add at least one line first.'),
  BUSINESS_INSUFFICIENT_STOCK: business('A line asks for more than is available; reduce its quantity.'),
  BUSINESS_DISCOUNT_CODE_NOT_APPLICABLE: business(
    'The discount code cannot be used on this cart; see the reason given, or go on without the code.',
  ),
  BUSINESS_MARGIN_BELOW_FLOOR: business(
    'Prices or costs have moved and a line can no longer be sold at its price; preview the cart again.',
  ),
  BUSINESS_PRICE_BELOW_COST: business(
    'A line would be sold below its cost; preview the cart again or leave the line out.',
  ),
  BUSINESS_RETURN_REQUEST_GROUP_NOT_DELIVERED: business(
    'The fulfillment group is not delivered yet; ask for the return after its delivery.',
  ),
  BUSINESS_RETURN_REQUEST_WINDOW_CLOSED: business(
    'The time for returning this fulfillment group is over; it can no longer be returned.',
  ),
  BUSINESS_RETURN_REQUEST_QUANTITY_EXCEEDED: business(
    'The quantity is more than is left to return; ask for less.',
  ),
  BUSINESS_WEBHOOK_SUBSCRIPTION_LIMIT: business(
    'Five webhook subscriptions are active already; pause or delete one first.',
  ),
  BUSINESS_RESOURCE_LIMIT: business(
    'There are as many of these as there can be; remove one that is not needed.',
  ),
  BUSINESS_ORDER_AMOUNT_LIMIT: business(
    'The order costs more than one order may; order for less, or ask who set the limit.',
  ),
  BUSINESS_SPENDING_LIMIT: business(
    'With this order your orders of today would cost more than they may; order for less, or try again tomorrow.',
  ),
  BUSINESS_RECIPIENT_LIMIT: business(
    'The number has had as many top-ups today as it may; try again tomorrow, or ask who set the limit.',
  ),
  BUSINESS_CERTIFICATION_REQUIRED: business(
    'The partner has not shown all that it must before it goes live; see the steps that are missing.',
  ),

  METHOD_NOT_ALLOWED: notRetryable(
    405,
    'UNIMPLEMENTED',
    'This path does not take this method; use one of those in the Allow header.',
  ),
  RATE_LIMITED: rateLimited(
    'Too many requests; wait as long as the Retry-After header says, then go on more slowly.',
  ),
  INTERNAL_ERROR: internal(
    'Something went wrong on our side; repeat the same request, and tell us the requestId if it stays.',
  ),
  SERVICE_UNAVAILABLE: unavailable(
    'The service cannot be reached at present; repeat the same request in a moment.',
  ),
} as const;

/** A code of the catalogue. */
export type ErrorCode = keyof typeof ERROR_CATALOGUE;

/** Whether a text is a code of the catalogue; a peer of a newer version may send one that is not. */
export function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(ERROR_CATALOGUE, code);
}
