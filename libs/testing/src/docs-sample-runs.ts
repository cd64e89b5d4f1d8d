/** Samples of a page: all of them, or those in some languages, or below one heading. */
export interface SampleChoice {
  readonly page: string;
  readonly languages?: readonly string[];
  readonly section?: string;
}

const pages = (folder: string, ...names: string[]): SampleChoice[] =>
  names.map((name) => ({ page: `${folder}/${name}` }));
const readme = (project: string, ...languages: string[]): SampleChoice => ({
  page: `${project}/README.md`,
  ...(languages.length > 0 ? { languages } : {}),
});

const WEBHOOKS = 'docs/partners/webhooks.md';
const RUNBOOK = 'docs/platform/runbook.md';

/**
 * Which test file runs which code samples of the documentation. It takes them from here, by `samplesFor`, so the table claims nothing that
 * no test has in hand; apps/docs-site/test/samples.spec.ts fails for a sample without a line.
 */
export const SAMPLE_RUNS: Readonly<Record<string, readonly SampleChoice[]>> = {
  'apps/system-tests/test/partner-docs.spec.ts': pages(
    'docs/partners',
    'getting-started.md',
    'scent-catalog.md',
    'events.md',
    'order-timeline.md',
    'price-explanation.md',
    'webhook-diagnosis.md',
    'reconciliation.md',
    'limits.md',
    'before-you-go-live.md',
  ),
  'apps/system-tests/test/sandbox-docs.spec.ts': pages('docs/partners', 'sandbox.md'),
  'apps/system-tests/test/client-guide.spec.ts': [
    { page: 'docs/partners/client.md' },
    readme('libs/partner-client'),
  ],
  'apps/system-tests/test/command-line.spec.ts': [
    { page: 'docs/partners/command-line.md' },
    readme('libs/partner-cli'),
  ],
  'apps/system-tests/test/strangers.spec.ts': pages('docs/partners', 'clients.md'),
  'apps/system-tests/test/operator-docs.spec.ts': pages('docs/operators', 'README.md'),
  'apps/system-tests/test/pasted-samples.spec.ts': [
    { page: 'README.md', section: 'The first top-up' },
    { page: WEBHOOKS, section: 'Subscribe' },
    { page: WEBHOOKS, section: 'What comes' },
    { page: RUNBOOK, section: 'TokensRefused' },
    { page: 'docs/partners/errors.md' },
  ],
  'apps/system-tests/test/database-samples.spec.ts': [
    { page: 'docs/platform/backups.md', languages: ['sql'] },
    { page: RUNBOOK, languages: ['sql'] },
    readme('apps/scent-commerce', 'bash'),
  ],
  'apps/finance/test/contract-command.spec.ts': [
    { page: 'docs/platform/replace-a-service.md', languages: ['bash'] },
  ],
  'apps/local-platform/src/pooler/pooler.spec.ts': [{ page: 'docs/platform/pooling.md', languages: ['ini'] }],
  'apps/system-tests/test/repository-commands.spec.ts': [
    { page: 'README.md', section: 'Two commands' },
    ...pages(
      'docs/how-to',
      'add-a-product.md',
      'add-a-table.md',
      'add-an-endpoint.md',
      'add-an-operator-action.md',
    ),
    { page: 'docs/how-to/add-an-event.md', languages: ['bash'] },
    { page: 'docs/platform/backups.md', languages: ['bash'] },
    ...pages('docs/platform', 'capacity.md', 'failover.md', 'replicas.md'),
    { page: 'docs/platform/pooling.md', languages: ['bash'] },
    { page: WEBHOOKS, section: 'Try it on one machine' },
    readme('apps/docs-site'),
    readme('apps/system-tests', 'bash'),
    readme('libs/api-compatibility', 'bash'),
    readme('libs/contract-testing', 'bash'),
    readme('deploy/monitoring'),
  ],
  'apps/system-tests/test/typescript-samples.spec.ts': [
    { page: 'docs/how-to/add-an-event.md', languages: ['ts'] },
    readme('libs/contract-testing', 'ts'),
    readme('libs/database', 'ts'),
    readme('libs/errors'),
    readme('libs/http-edge'),
    readme('libs/rpc'),
    readme('libs/service-kit'),
    readme('libs/vendor-simulation'),
  ],
  'apps/notifier/src/event/domain/partner-docs.spec.ts': [{ page: WEBHOOKS, languages: ['json'] }],
  'apps/notifier/test/archive-command.spec.ts': pages('docs/platform', 'archive.md'),
  'apps/notifier/test/dead-letters-page.spec.ts': pages('docs/operators', 'dead-letters.md'),
  'apps/backoffice/test/dead-letters.spec.ts': pages('docs/operators', 'dead-letters.md'),
  'apps/vendor-simulator/test/http-contract.spec.ts': pages('docs/vendors', 'http-contract.md'),
  'deploy/test/docs.spec.ts': [
    ...pages('docs/platform', 'deploying.md', 'between-services.md', 'event-bus.md'),
    { page: RUNBOOK, section: '' },
  ],
  'libs/database/test/drift.spec.ts': [readme('libs/database', 'prisma')],
  'libs/messaging/test/tables.spec.ts': [readme('libs/messaging')],
  'libs/webhook-receiver/test/guide.spec.ts': [
    { page: WEBHOOKS, languages: ['js', 'python', 'php', 'go', 'java'] },
  ],
  'libs/webhook-receiver/test/readme.spec.ts': [readme('libs/webhook-receiver')],
};
