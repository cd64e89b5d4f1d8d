import { Counter, type Registry } from 'prom-client';

/** Counts exchanges of credentials for tokens by what came of them. */
export function countExchanges(registry: Registry): (result: string) => void {
  const exchanges = new Counter({
    name: 'token_exchanges_total',
    help: 'Exchanges of credentials for tokens by result: Issued, or the code of the refusal; unknown client ids too. Sum over instances.',
    labelNames: ['result'],
    registers: [registry],
  });
  for (const result of ['Issued', 'UNAUTHORIZED_INVALID_CREDENTIALS']) exchanges.inc({ result }, 0);
  return (result) => exchanges.inc({ result });
}
