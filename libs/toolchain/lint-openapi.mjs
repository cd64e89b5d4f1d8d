// Reads an OpenAPI document on standard input and prints what the rules that Redocly recommends find in it, a line each.
// A process of its own, as the linter is an ES module, which Jest cannot load.
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { text } from 'node:stream/consumers';

const config = await createConfig({
  extends: ['recommended'],
  // The specification has /orders/topup/{orderId} and /orders/{orderGlobalId}/timeline; no id is "topup" or "timeline".
  rules: { 'no-ambiguous-paths': 'off' },
});
const problems = await lintFromString({ source: await text(process.stdin), config });
for (const { ruleId, message, location } of problems)
  console.log(`${ruleId} at ${location[0]?.pointer}: ${message}`);
