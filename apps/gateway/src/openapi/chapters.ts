/** What the chapters of the reference are about, in its order; the products' own chapters come after the first. */
export const CHAPTERS = {
  Authentication:
    'Exchange a credential for a bearer token that is good for five minutes. Fetch one, use it for every call, and renew it half a minute before its end.',
  Orders: 'Orders of every product in one list, and what happened to one of them.',
  Returns: 'Ask for units of a delivered scent order to be taken back, and read what was decided.',
  'Reference data': 'Where you can sell, and which eSIM plans there are.',
  'Scent catalog': 'Brands, scents and their variants, with your prices and what is left of them.',
  'Scent cart':
    'One open cart for each of your customers. Prices are live until a checkout preview locks them for some minutes.',
  'Discount codes': 'Codes of your own that your customers type in at the checkout.',
  Wallet: 'The money your orders are paid from: its balance, every movement, and what you may spend.',
  Statements: 'What happened in a closed month, line by line, as a document to keep.',
  Webhooks:
    'Have events sent to you, signed. A subscription can be paused, tested, diagnosed, and given a new secret without losing an event.',
  'Webhook events': 'What is sent to a subscription’s url, one kind after the other.',
  Events: 'The same events to read by a cursor, for whoever cannot receive webhooks or was away.',
  Reconciliation: 'Compare your own record of orders with ours, and get the differences.',
  Sandbox:
    'What operators, vendors and time do in live, on demand. With a sandbox token alone; nothing here exists in live.',
  Certification: 'What your integration has shown in the sandbox, and what is missing before it goes live.',
} as const;
