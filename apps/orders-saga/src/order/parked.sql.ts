/** What of an order is not tried any more until a person says so: its saga, or what an operator decided of it. */
export const IS_PARKED = {
  saga: "state = 'Parked'",
  task: "state = 'Open' AND parked_at IS NOT NULL",
} as const;

/** The orders of which something is parked, each once. */
export const PARKED_ORDERS = `SELECT order_id FROM sagas WHERE ${IS_PARKED.saga}
  UNION SELECT order_id FROM order_tasks WHERE ${IS_PARKED.task}`;
