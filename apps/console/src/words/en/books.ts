/** What the page of rates says. */
export const rates = {
  title: 'Rates',
  currency: 'Currency',
  rate: 'Units for one SAR',
  set: 'Set a rate',
  change: 'Change',
  effect: 'Prices and balances are shown by it from now on. Charges are in SAR and stay as they are.',
  done: (currency: string) => `${currency} is set.`,
  updated: 'Set',
};

/** What the page of statements says. */
export const statements = {
  title: 'Statements',
  choose: 'Choose a partner to see its statements.',
  number: 'Statement',
  period: 'Period',
  debits: 'Debits',
  credits: 'Credits',
  net: 'Net',
  email: 'E-mail',
  emails: { Pending: 'Pending', Sent: 'Sent', Failed: 'Failed', Skipped: 'Skipped' },
  show: 'Show the PDF',
  hide: 'Hide the PDF',
  download: 'Download',
  make: 'Make a statement',
  effect: 'It is locked from then on. It has to begin where the last one ended, and end by now.',
  from: 'From',
  to: 'Until (exclusive)',
  made: 'The statement is made.',
};

/** What the page of reconciliation says. */
export const reconciliation = {
  title: 'Reconciliation',
  service: 'Service',
  check: 'Check',
  kind: 'Kind',
  subject: 'Subject',
  expected: 'Expected',
  found: 'Found',
  first: 'First seen',
  last: 'Last seen',
  resolved: 'Resolved',
  state: 'State',
  states: { Open: 'Open', Accepted: 'Accepted', Resolved: 'Resolved' },
  none: 'Everything agrees.',
  accept: 'Accept as it is',
  acceptEffect:
    'It is counted no more, and its alert ends with the last one that is open. Nothing is repaired and no money moves. With other figures it is open again.',
  accepted: 'Accepted.',
  reopen: 'Open again',
  reopenEffect: 'It is counted again, and its alert fires.',
  reopened: 'It is open again.',
  before: (by: string, expected: string, found: string) =>
    `${by} accepted it before, when ${expected} was expected and ${found} found.`,
  free: 'Free the checkout',
  freeEffect: (order: string) =>
    `The cart, the stock and the discount that are held for ${order} are free again. No money moves. It is refused where there is such an order.`,
  freed: 'It is free. The next comparison finds the difference gone.',
  acceptedAt: 'Accepted',
  acceptedBy: 'Accepted by',
  run: 'Compare everything now',
  runEffect:
    'Each service compares its books with the others’: within a minute, or some minutes for a long history. Nothing is repaired.',
  ran: (open: string) => `${open} open differences.`,
  incomplete: 'Not everything could be compared; a service may be away.',
  compared: 'Compared',
  differences: 'Differences',
  completed: 'Complete at',
  failure: 'Failure',
};

/** What the page of approvals says. */
export const approvals = {
  title: 'Approvals',
  statuses: { Pending: 'Pending', Approved: 'Approved', Rejected: 'Rejected', Lapsed: 'Lapsed' },
  actions: { 'wallet.credit': 'Credit', 'wallet.adjust': 'Adjustment', 'order.reverse': 'Reversal' },
  action: 'What',
  partner: 'Partner',
  amount: 'Amount',
  subject: 'Subject',
  notes: 'Notes',
  by: 'Requested by',
  at: 'Requested',
  expires: 'Lapses',
  decided: 'Decided by',
  approve: 'Approve',
  approveEffect: (what: string, amount: string, partner: string) =>
    `${what} of ${amount} for ${partner} is carried out at once, and cannot be taken back but by another movement.`,
  approved: 'Approved and carried out.',
  reject: 'Reject',
  rejectEffect: 'Nothing moves. Whoever requested it may request it again.',
  rejected: 'Rejected.',
  own: 'You requested it yourself: somebody else has to decide.',
};

/** What the page of the audit says. */
export const audit = {
  title: 'Audit',
  when: 'When',
  who: 'Who',
  action: 'Action',
  subject: 'Subject',
  partner: 'Partner',
  request: 'Request',
  details: 'Details',
  service: 'Service',
  sequence: 'No.',
  hash: 'Hash',
  export: 'Export the chain',
  asPartner: 'Partner',
};

/** What the page of operators' tokens says. */
export const tokens = {
  title: 'Operator tokens',
  name: 'Name',
  roles: 'Roles',
  make: 'Make a token',
  effect:
    'A program that has it may do what its roles may. It also counts as you where a second operator is needed.',
  made: 'The token is made.',
  token: 'Token',
  revoke: 'Revoke',
  revokeEffect: 'It is refused within five seconds. It cannot be taken back.',
  revoked: (name: string) => `${name} is revoked.`,
  none: 'No tokens yet.',
};
